import ExportPlan
import Media

/// Layers drawn onto a transparent frame of their own: After Effects' pre-composition.
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

    func picture(atFrame index: Int) throws(MediaError) -> RasterPicture {
        try stack.transparentPicture(atFrame: index)
    }
}
