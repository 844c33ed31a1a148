import ExportPlan
import Media
import Vocabulary

/// Fills the canvas with one colour. The picture is drawn once.
final class SolidPainter: LayerPainter {
    private let color: RGBAColor
    private let size: FrameSize
    private var picture: RasterPicture?

    init(_ color: RGBAColor, _ size: FrameSize) {
        self.color = color
        self.size = size
    }

    var isStill: Bool { true }

    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame? {
        color.alpha == 255 ? try filled().frame : nil
    }

    var repetition: Explanation.Repetition? { .once }

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) -> Explanation.Compositing {
        try surface.draw(try filled(), at: PixelRect(size), opacity: 1, mode: .normal)
        return .blended(rect: PixelRect(size), mode: .normal, opacity: 1, isOpaque: color.alpha == 255)
    }

    private func filled() throws(MediaError) -> RasterPicture {
        if let picture { return picture }
        let frame = try VideoFrame(.yuv420, size)
        let code = YUVColor(color)
        for (number, value) in [code.y, code.u, code.v].enumerated() {
            let plane = frame.plane(number)
            for y in 0..<plane.height { plane.row(y).update(repeating: value, count: plane.width) }
        }
        let drawn = RasterPicture(frame: frame, alpha: color.alpha == 255 ? nil : AlphaPlanes(covering: color.alpha, size))
        picture = drawn
        return drawn
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
