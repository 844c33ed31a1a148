import ExportPlan
import Media
import Vocabulary

/// Fills the surface with one colour.
final class SolidPainter: LayerPainter {
    private let code: YUVColor
    private let alpha: UInt8
    private var picture: RasterPicture?

    init(_ color: RGBAColor) {
        code = YUVColor(color)
        alpha = color.alpha
    }

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) {
        if alpha == 255, surface.alpha == nil { return fill(surface.frame) }
        if picture?.frame.size != surface.size {
            let frame = try VideoFrame(.yuv420, surface.size)
            fill(frame)
            picture = RasterPicture(frame: frame, alpha: AlphaPlanes(covering: alpha, surface.size))
        }
        if let picture { try surface.draw(picture, at: PixelRect(surface.size), opacity: 1, mode: .normal) }
    }

    private func fill(_ frame: VideoFrame) {
        for (number, value) in [code.y, code.u, code.v].enumerated() {
            let plane = frame.plane(number)
            for y in 0..<plane.height { plane.row(y).update(repeating: value, count: plane.width) }
        }
    }
}

/// BT.709 limited-range code values of a colour (ITU-R BT.709-6, items 3.2 to 3.5).
struct YUVColor: Equatable {
    var y: UInt8
    var u: UInt8
    var v: UInt8

    static let black = YUVColor(.black)

    init(_ color: RGBAColor) {
        let (r, g, b) = (Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255)
        let luma = 0.2126 * r + 0.7152 * g + 0.0722 * b
        y = UInt8((16 + 219 * luma).rounded())
        u = UInt8((128 + 224 * (b - luma) / 1.8556).rounded())
        v = UInt8((128 + 224 * (r - luma) / 1.5748).rounded())
    }
}
