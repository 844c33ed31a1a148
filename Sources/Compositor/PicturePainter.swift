import ExactTime
import ExportPlan
import Media
import Vocabulary

/// Draws a source's picture, moving or still: upright, cropped, scaled, in BT.709, filtered, with its opacity and alpha.
///
/// While the source frame stays the same (a still, a slow clip, 24 frames on 30) the finished picture is used again.
final class PicturePainter: LayerPainter {
    private let source: SourceFrames
    private let frameRate: FrameRate
    private let opacity: AnimatedValue
    private let mode: BlendMode
    private let destination: PixelRect
    private let coversCanvas: Bool
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
        self.source = try SourceFrames(hash, timing, Rasterizer(video, placement, subject: source.path), context)
        filter = try PictureFilter(layer.operations ?? [], subject: source.path, context)
        coversCanvas =
            destination == PixelRect(context.canvas) && !video.hasAlpha && !filter.changesAlpha && mode == .normal
    }

    var isStill: Bool { source.isStill && filter.isStill && opacity.constantValue != nil }

    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame? {
        guard coversCanvas, opacity.value(at: frameRate.time(ofFrame: index)) >= 1 else { return nil }
        return try raster(atFrame: index).frame
    }

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) {
        // Curves that overshoot show no more than all of it, and no less than nothing.
        let opacity = min(1, opacity.value(at: frameRate.time(ofFrame: index)))
        guard opacity > 0 else { return }
        let picture = try raster(atFrame: index)
        try surface.draw(picture, at: destination, opacity: opacity, mode: mode)
    }

    func program(atFrame index: Int, onOpaque isOpaque: Bool) throws(MediaError) -> LayerProgram {
        let known = opacity.constantValue.map { min(1, $0) }
        let repetition = filter.isStill ? source.repetition : .everyFrame
        guard opacity.value(at: frameRate.time(ofFrame: index)) > 0 else {
            return LayerProgram(source.content, repetition: repetition, joining: .unseen)
        }
        let picture = try raster(atFrame: index)
        var program = LayerProgram(
            source.content, repetition: repetition,
            joining: .blended(rect: destination, mode: mode, opacity: known, isOpaque: picture.alpha == nil))
        program.reading = try source.reading(atFrame: index)
        program.operations = try filter.program(
            atFrame: index, size: picture.frame.size, hasAlpha: last?.raster.alpha != nil)
        return program
    }

    private func raster(atFrame index: Int) throws(MediaError) -> RasterPicture {
        let raster = try source.picture(atFrame: index)
        if let last, last.raster.frame === raster.frame, filter.isStill || last.index == index { return last.picture }
        let picture = try filter.filtered(raster, atFrame: index)
        last = (index, raster, picture)
        return picture
    }
}
