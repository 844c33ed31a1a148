import ExactTime
import ExportPlan
import Media
import Vocabulary

/// Draws the picture of a video or still source: upright, cropped, scaled, in BT.709, filtered, with its opacity and
/// alpha.
///
/// The finished picture is used again while the source frame stays the same (a still, slow motion, 24 fps in a 30 fps
/// film).
final class PicturePainter: LayerPainter {
    private let source: SourceFrames
    private let frameRate: FrameRate
    private let opacity: AnimatedValue
    private let mode: BlendMode
    private let destination: PixelRect
    private let coversCanvas: Bool
    private let fillsCanvas: Bool
    private let filter: PictureFilter
    private var last: (index: Int, raster: RasterPicture, picture: RasterPicture)?

    init(_ layer: Layer, _ hash: String, timing: SourceTiming?, _ context: PaintContext) throws(MediaError) {
        let source = try context.readers.source(hash)
        guard let video = source.facts.video else {
            throw MediaError(.noStream, subject: source.path, message: "has no picture")
        }
        frameRate = context.frameRate
        opacity = layer.opacity
        mode = layer.blendMode ?? .normal
        let placement =
            layer.placement
            ?? Placement(orientation: video.orientation, region: .whole, destination: PixelRect(context.canvas))
        destination = placement.destination
        self.source = try SourceFrames(
            hash, timing, Rasterizer(video, placement, subject: source.path, primaries: context.primaries, log: context.log),
            context)
        filter = try PictureFilter(layer.operations ?? [], subject: source.path, context)
        fillsCanvas = destination == PixelRect(context.canvas) && mode == .normal
        coversCanvas = fillsCanvas && !video.hasAlpha && !filter.changesAlpha
    }

    var isStill: Bool { source.isStill && filter.isStill && opacity.constantValue != nil }

    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame? {
        guard coversCanvas, opacity.value(at: frameRate.time(ofFrame: index)) >= 1 else { return nil }
        return try raster(atFrame: index).frame
    }

    func wholePicture(atFrame index: Int) throws(MediaError) -> RasterPicture? {
        guard fillsCanvas, opacity.value(at: frameRate.time(ofFrame: index)) >= 1 else { return nil }
        return try raster(atFrame: index)
    }

    var repetition: Explanation.Repetition? { filter.isStill ? source.repetition : .everyFrame }

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) -> Explanation.Compositing {
        // Easing curves that overshoot are clipped to full opacity, and to none.
        let current = min(1, opacity.value(at: frameRate.time(ofFrame: index)))
        guard current > 0 else { return .hidden }
        let picture = try raster(atFrame: index)
        try surface.draw(picture, at: destination, opacity: current, mode: mode)
        return .blended(
            rect: destination, mode: mode, opacity: opacity.constantValue.map { min(1, $0) }, isOpaque: picture.alpha == nil)
    }

    private func raster(atFrame index: Int) throws(MediaError) -> RasterPicture {
        let raster = try source.picture(atFrame: index)
        if let last, last.raster.frame === raster.frame, filter.isStill || last.index == index { return last.picture }
        let picture = try filter.filtered(raster, atFrame: index)
        last = (index, raster, picture)
        return picture
    }
}
