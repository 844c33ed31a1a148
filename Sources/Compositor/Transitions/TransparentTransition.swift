import ExportPlan
import Media
import Vocabulary

extension TransitionDrawing {
    /// Draws a transition between pictures of which one or both are transparent.
    ///
    /// A drawing knows opaque pictures only, so both pictures are put on black and on white, and the transition is drawn
    /// twice. Where the results are equal it is opaque, and where they differ by as much as black and white it is
    /// transparent (Wallace's and Smith's triangulation matting). Every drawing that moves or mixes pixels, whatever their
    /// colours, comes out right: a fade through black is opaque black in its middle.
    func drawTransparent(
        _ from: RasterPicture, _ to: RasterPicture, _ progress: TransitionProgress, _ canvas: FrameSize
    ) throws(MediaError) -> RasterPicture {
        func drawn(on color: RGBAColor) throws(MediaError) -> VideoFrame {
            let result = try VideoFrame(.yuv420, canvas)
            draw(try from.opaque(on: color), try to.opaque(on: color), progress, into: result)
            return result
        }
        let onBlack = try drawn(on: .black)
        guard from.alpha != nil || to.alpha != nil else { return RasterPicture(frame: onBlack) }
        return try RasterPicture(onBlack: onBlack, onWhite: try drawn(on: RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)))
    }
}

extension RasterPicture {
    /// The picture over a colour; itself where it is opaque.
    fileprivate func opaque(on color: RGBAColor) throws(MediaError) -> VideoFrame {
        guard alpha != nil else { return frame }
        let size = frame.size
        guard let filled = try SolidPainter(color, size).coveringPicture(atFrame: 0) else { return frame }
        let surface = Surface(opaque: filled)
        try surface.draw(self, at: PixelRect(size), opacity: 1, mode: .normal)
        return surface.frame
    }

    /// The picture that looks like this over black and over white. Black and white differ by 219 steps of luma.
    fileprivate init(onBlack black: VideoFrame, onWhite white: VideoFrame) throws(MediaError) {
        let size = black.size
        let frame = try VideoFrame(.yuv420, size)
        var alpha = AlphaPlanes(covering: 0, size)
        let (luma, dark, light) = (frame.plane(0), black.plane(0), white.plane(0))
        for y in 0..<luma.height {
            let (out, dark, light) = (luma.row(y), dark.row(y), light.row(y))
            for x in 0..<luma.width {
                let covered = 219 - min(219, max(0, Int(light[x]) - Int(dark[x])))
                alpha.luma[y * luma.width + x] = UInt8((covered * 255 + 109) / 219)
                out[x] = RasterPicture.straight(dark[x], zero: 16, covered, of: 219)
            }
        }
        for index in 1...2 {
            let (target, dark) = (frame.plane(index), black.plane(index))
            for y in 0..<target.height {
                for x in 0..<target.width {
                    var (sum, count) = (0, 0)
                    for row in (2 * y)..<min(2 * y + 2, size.height) {
                        for column in (2 * x)..<min(2 * x + 2, size.width) {
                            sum += Int(alpha.luma[row * size.width + column])
                            count += 255
                        }
                    }
                    alpha.chroma[y * target.width + x] = UInt8((sum * 255 + count / 2) / count)
                    target.row(y)[x] = RasterPicture.straight(dark.row(y)[x], zero: 128, sum, of: count)
                }
            }
        }
        self.init(frame: frame, alpha: alpha)
    }

    /// The straight value of one that was mixed with `zero` in the proportion `covered` to `whole`.
    private static func straight(_ mixed: UInt8, zero: Int, _ covered: Int, of whole: Int) -> UInt8 {
        guard covered > 0 else { return UInt8(zero) }
        let value = Double(zero) + Double(Int(mixed) - zero) * Double(whole) / Double(covered)
        return UInt8(min(255, max(0, value.rounded())))
    }
}
