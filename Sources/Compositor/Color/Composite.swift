import ExportPlan
import Media
import Vocabulary

extension Surface {
    /// Draws a picture into a rectangle of the surface.
    /// - Parameters:
    ///   - rect: a rectangle inside the surface with even edges and the picture's size.
    ///   - opacity: 0...1, multiplied by the picture's own alpha.
    func draw(_ picture: RasterPicture, at rect: PixelRect, opacity: Double, mode: BlendMode) throws(MediaError) {
        guard opacity > 0 else { return }
        let source = mode == .normal ? picture : try blended(picture, at: rect, mode)
        guard alpha != nil else {
            blend(source, onto: frame, at: rect, opacity: opacity)
            return
        }
        for index in 0..<3 { drawOnTransparent(source, plane: index, at: rect, opacity: Float(opacity)) }
        // Both chroma planes read the alpha from before the drawing, so it is raised only after all planes have been
        // drawn.
        raiseAlpha(source, at: rect, opacity: Float(opacity))
    }

    /// Source over backdrop for straight colours (W3C Compositing, "simple alpha compositing"): `(Cs as + Cb ab (1 -
    /// as)) / ao` with `ao = as + ab (1 - as)`.
    private func drawOnTransparent(_ picture: RasterPicture, plane index: Int, at rect: PixelRect, opacity: Float) {
        let step = index == 0 ? 1 : 2
        let source = picture.frame.plane(index)
        let whole = frame.plane(index)
        let target = whole.part(x: rect.x / step, y: rect.y / step, width: source.width, height: source.height)
        guard let backdrop = alpha?[index] else { return }
        let cover = picture.alpha?[index]
        for y in 0..<source.height {
            let (from, out) = (source.row(y), target.row(y))
            let below = (rect.y / step + y) * whole.width + rect.x / step
            for x in 0..<source.width {
                let over = (cover.map { Float($0[y * source.width + x]) / 255 } ?? 1) * opacity
                let rest = Float(backdrop[below + x]) / 255 * (1 - over)
                guard over + rest > 0 else { continue }
                let value = (Float(from[x]) * over + Float(out[x]) * rest) / (over + rest)
                out[x] = UInt8(value.rounded())
            }
        }
    }

    private func raiseAlpha(_ picture: RasterPicture, at rect: PixelRect, opacity: Float) {
        for index in 0..<2 {
            let step = index == 0 ? 1 : 2
            let size = picture.frame.plane(index)
            let width = frame.plane(index).width
            let cover = picture.alpha?[index]
            guard var planes = alpha?[index] else { return }
            alpha?[index] = []  // without this the array would be copied
            for y in 0..<size.height {
                let below = (rect.y / step + y) * width + rect.x / step
                for x in 0..<size.width {
                    let over = (cover.map { Float($0[y * size.width + x]) / 255 } ?? 1) * opacity
                    let before = Float(planes[below + x]) / 255
                    planes[below + x] = UInt8(((over + before * (1 - over)) * 255).rounded())
                }
            }
            alpha?[index] = planes
        }
    }

    /// The picture with its colours blended with the surface below it: `(1 - ab) Cs + ab B(Cb, Cs)`, on red, green and
    /// blue (W3C Compositing, "blending").
    func blended(_ picture: RasterPicture, at rect: PixelRect, _ mode: BlendMode) throws(MediaError) -> RasterPicture {
        let formula = BlendFormula(mode)
        let size = picture.frame.size
        let result = try VideoFrame(.yuv420, size)
        let source = YUVPixels(picture.frame, x: 0, y: 0)
        let backdrop = YUVPixels(frame, x: rect.x, y: rect.y)
        let (luma, blue, red) = (result.plane(0), result.plane(1), result.plane(2))
        let width = frame.size.width
        for pairY in 0..<blue.height {
            let (blueRow, redRow) = (blue.row(pairY), red.row(pairY))
            for pairX in 0..<blue.width {
                var (sumB, sumR, weight): (Float, Float, Float) = (0, 0, 0)
                for y in (2 * pairY)..<min(2 * pairY + 2, size.height) {
                    let lumaRow = luma.row(y)
                    for x in (2 * pairX)..<min(2 * pairX + 2, size.width) {
                        let below = (rect.y + y) * width + rect.x + x
                        let covered = alpha.map { Float($0.luma[below]) / 255 } ?? 1
                        let color = formula.blend(source.color(x, y), over: backdrop.color(x, y), covered: covered)
                        let light = 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z
                        lumaRow[x] = UInt8((16 + 219 * light).rounded())
                        // Invisible pixels must not tint the chroma that four pixels share. The small constant avoids a
                        // division by zero where all four are invisible.
                        let share = picture.alpha.map { Float($0.luma[y * size.width + x]) + 1e-3 } ?? 1
                        sumB += share * (color.z - light) / 1.8556
                        sumR += share * (color.x - light) / 1.5748
                        weight += share
                    }
                }
                blueRow[pairX] = UInt8((128 + 224 * sumB / weight).rounded())
                redRow[pairX] = UInt8((128 + 224 * sumR / weight).rounded())
            }
        }
        return RasterPicture(frame: result, alpha: picture.alpha)
    }
}

/// Reads a 4:2:0 picture as red, green and blue (ITU-R BT.709-6). Each chroma sample is used for all of its four
/// pixels.
private struct YUVPixels {
    private let luma: Plane
    private let blue: Plane
    private let red: Plane
    private let left: Int
    private let top: Int

    /// - Parameter x, y: where this view's pixel (0, 0) lies in the frame. Both are even.
    init(_ frame: VideoFrame, x: Int, y: Int) {
        (luma, blue, red) = (frame.plane(0), frame.plane(1), frame.plane(2))
        left = x
        top = y
    }

    @inline(__always)
    func color(_ x: Int, _ y: Int) -> SIMD3<Float> {
        let (x, y) = (left + x, top + y)
        let luma = (Float(self.luma.row(y)[x]) - 16) / 219
        let blue = (Float(self.blue.row(y / 2)[x / 2]) - 128) / 224
        let red = (Float(self.red.row(y / 2)[x / 2]) - 128) / 224
        let color = SIMD3(
            luma + 1.5748 * red, luma - (0.2126 * 1.5748 / 0.7152) * red - (0.0722 * 1.8556 / 0.7152) * blue,
            luma + 1.8556 * blue)
        return color.clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1))
    }
}
