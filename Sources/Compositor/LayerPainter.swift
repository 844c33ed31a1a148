import ExportPlan
import Media

/// Draws one layer. `Compositor` owns the painters; each is used by one thread, with frame numbers rising or falling.
protocol LayerPainter: AnyObject {
    /// Whether it draws the same in every frame. When the layer is seen is not its business.
    var isStill: Bool { get }
    /// Whether it may take away some of what lies below it.
    var uncovers: Bool { get }
    /// The layer as a picture of the whole canvas, if it covers the canvas without letting anything through; else nil.
    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame?
    /// Draws the layer over what is there.
    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError)
    /// How it is drawn over what is there.
    /// - Parameter isOpaque: whether that covers everything.
    func program(atFrame index: Int, onOpaque isOpaque: Bool) throws(MediaError) -> LayerProgram
}

extension LayerPainter {
    var uncovers: Bool { false }

    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame? { nil }
}
