import ExportPlan
import Media

/// Draws one layer. `Compositor` owns the painters. Each is used by one thread, with rising or falling frame numbers.
///
/// A painter notes in its context's log, where there is one, what it decides beside `repetition` and the result of
/// `paint`, which `RecordedPainter` notes.
protocol LayerPainter: AnyObject {
    /// Whether it draws the same in every frame. The layer's time range is not its concern.
    var isStill: Bool { get }
    /// Whether it may make what lies below it more transparent.
    var mayReduceCoverage: Bool { get }
    /// The layer as a picture of the whole canvas if it covers the canvas opaquely, otherwise nil.
    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame?
    /// The layer as a picture of the whole canvas with its alpha if drawing it on a transparent canvas changes nothing.
    func wholePicture(atFrame index: Int) throws(MediaError) -> RasterPicture?
    /// Draws the layer over what is on the surface.
    /// - Returns: how it was combined with what was on the surface.
    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) -> Explanation.Compositing
    /// How often the picture that was drawn last is drawn. Nil for a layer without a picture of its own.
    var repetition: Explanation.Repetition? { get }
}

extension LayerPainter {
    var mayReduceCoverage: Bool { false }

    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame? { nil }

    func wholePicture(atFrame index: Int) throws(MediaError) -> RasterPicture? { nil }
}
