import ExactTime
import ExportPlan
import Media
import Vocabulary

/// How a layer's picture is joined with what lies below it: by a blend mode, or by a mixer.
extension Surface {
    /// Lets a mixer join what is on the surface with a picture, and draws the result over the surface by its alpha.
    ///
    /// Mixers that blend give the lesser alpha of their two pictures. Their result is then seen where the picture is,
    /// and in proportion to its alpha. Mixers that compose give the alpha of both together, and replace what they were
    /// given.
    /// - Parameters:
    ///   - rect: where the picture lies; a rectangle inside the surface with even edges and the picture's size.
    ///   - opacity: 0...1, multiplied by the picture's own alpha.
    ///   - mask: also multiplied by it; it has the picture's size. Nil means 1 everywhere.
    ///   - time: the time of the mixer's keyframes.
    func mix(
        _ picture: RasterPicture, at rect: PixelRect, opacity: Double, through mask: AlphaPlanes? = nil,
        by mixer: CalledPlugin, at time: MediaTime
    ) throws(MediaError) {
        let above = try Surface(transparent: size)
        var seen = picture
        if let mask { seen.alpha = picture.alpha.map { $0.times(mask) } ?? mask }
        try above.draw(seen, at: rect, opacity: opacity, mode: .normal)
        let mixed = try mixer.draw([self.picture, above.picture], size: size, at: time)
        try draw(mixed, at: PixelRect(size), opacity: 1, mode: .normal)
    }
}
