import ExportPlan
import Media

/// Layers drawn onto a transparent frame of their own: After Effects' pre-composition. The stack keeps what stays the same.
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

    func program(atFrame index: Int) throws(MediaError) -> LayerPictureProgram {
        let program = try stack.program(atFrame: index, onNothing: true)
        return LayerPictureProgram(.group(stack: program), repetition: program.repetition)
    }
}
