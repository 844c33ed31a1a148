import ExactTime
import ExportPlan
import Media
import Vocabulary

/// How a layer's picture is joined with what lies below it: by a blend mode, or by a mixer.
extension Surface {
    /// Lets a mixer join what is on the surface with a picture, and puts the result on the surface by its alpha.
    ///
    /// Mixers that blend give the lesser alpha of their two pictures. Their result is then seen where the picture is,
    /// and in proportion to its alpha; where nothing is on the surface, they show nothing. Mixers that compose give the
    /// alpha of both together, and replace what they were given.
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
        guard let before = alpha else { return try draw(mixed, at: PixelRect(size), opacity: 1, mode: .normal) }
        put(mixed, over: before)
    }

    /// Puts a mixer's result on a surface with transparency. The less opaque the result is, the more stays of what was there:
    /// `w = min(1, ar / ab)`, colour `(1 - w) Cb + w Cr`, alpha `max(ab, ar)`. Over an opaque surface this is `Cr` drawn by
    /// `ar`.
    private func put(_ mixed: RasterPicture, over before: AlphaPlanes) {
        for index in 0..<3 {
            let (target, source) = (frame.plane(index), mixed.frame.plane(index))
            let (old, new) = (before[index], mixed.alpha?[index])
            for y in 0..<target.height {
                let (row, from) = (target.row(y), source.row(y))
                for x in 0..<target.width {
                    let place = y * target.width + x
                    let (below, result) = (Float(old[place]), Float(new?[place] ?? 255))
                    let weight = below == 0 ? 1 : min(1, result / below)
                    row[x] = UInt8((Float(row[x]) + (Float(from[x]) - Float(row[x])) * weight).rounded())
                }
            }
        }
        for index in 0..<2 {
            let (old, new) = (before[index], mixed.alpha?[index])
            alpha?[index] = old.indices.map { max(old[$0], new?[$0] ?? 255) }
        }
    }
}
