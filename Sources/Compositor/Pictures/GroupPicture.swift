import ExportPlan
import Media

/// A group: layers drawn onto a transparent frame of their own, as in a pre-composition of After Effects. The stack
/// keeps the layers that stay the same.
final class GroupPicture: LayerPicture {
    let width: Double
    let height: Double
    private let stack: StackPainter

    init(_ layers: [Layer], _ size: FrameSize, _ context: PaintContext) throws(MediaError) {
        (width, height) = (Double(size.width), Double(size.height))
        var inside = context
        inside.canvas = size
        stack = try StackPainter(layers, inside)
    }

    var isStill: Bool { stack.isStill }

    func picture(atFrame index: Int) throws(MediaError) -> RasterPicture {
        try stack.transparentPicture(atFrame: index)
    }

    var repetition: Explanation.Repetition { stack.repetition }
}
