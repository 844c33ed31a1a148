import ExportPlan
import Media
import Vocabulary

extension Surface {
    /// Replaces what has been drawn by another picture of the surface's size, in proportion to the opacity. At an
    /// opacity of 1 the result is that picture with its transparency. The film's canvas stays opaque: black is behind
    /// it.
    /// - Parameters:
    ///   - opacity: 0...1.
    ///   - mask: multiplied by the opacity at each place. Nil means 1 everywhere.
    ///   - mode: how the picture's colours blend with those on the surface.
    func replace(
        with picture: RasterPicture, opacity: Double, through mask: AlphaPlanes?, mode: BlendMode
    ) throws(MediaError) {
        let source = mode == .normal ? picture : try blended(picture, at: PixelRect(size), mode)
        guard alpha != nil || source.alpha != nil else {
            return blend(
                RasterPicture(frame: source.frame, alpha: mask), onto: frame, at: PixelRect(size), opacity: opacity)
        }
        let black = [YUVColor.black.y, YUVColor.black.u, YUVColor.black.v].map(Float.init)
        for index in 0..<3 {
            mix(
                source.frame.plane(index), covered: source.alpha?[index], Float(opacity), through: mask?[index],
                black[index], plane: index)
        }
        guard let before = alpha else { return }
        for index in 0..<2 {
            let after = source.alpha?[index] ?? [UInt8](repeating: 255, count: before[index].count)
            let share = mask?[index]
            alpha?[index] = before[index].indices.map { place in
                let (old, new) = (Float(before[index][place]), Float(after[place]))
                let part = Float(opacity) * (share.map { Float($0[place]) / 255 } ?? 1)
                return UInt8((old + (new - old) * part).rounded())
            }
        }
    }

    /// Mixes the colours weighted by their coverage: `Cs as o + Cb ab (1 - o)`, on black if the surface is opaque,
    /// otherwise divided by the sum of the weights.
    private func mix(
        _ source: Plane, covered: [UInt8]?, _ opacity: Float, through mask: [UInt8]?, _ black: Float, plane index: Int
    ) {
        let target = frame.plane(index)
        let before = alpha?[index]
        for y in 0..<target.height {
            let (from, out) = (source.row(y), target.row(y))
            for x in 0..<target.width {
                let place = y * target.width + x
                let part = opacity * (mask.map { Float($0[place]) / 255 } ?? 1)
                let new = (covered.map { Float($0[place]) / 255 } ?? 1) * part
                let old = (before.map { Float($0[place]) / 255 } ?? 1) * (1 - part)
                let sum = Float(from[x]) * new + Float(out[x]) * old
                if before == nil {
                    out[x] = UInt8((sum + black * (1 - new - old)).rounded())
                } else if new + old > 0 {
                    out[x] = UInt8((sum / (new + old)).rounded())
                }
            }
        }
    }
}
