import ExactTime
import ExportPlan
import Media
import Vocabulary

/// Draws a source's picture, moving or still: upright, cropped, scaled, in BT.709, filtered, with its opacity and alpha.
///
/// While the source frame stays the same (a still, a slow clip, 24 frames on 30) the finished picture is used again.
final class PicturePainter: LayerPainter {
    private let content: LayerProgram.Content
    private let reader: FrameReader
    private let timing: SourceTiming?
    private let frameRate: FrameRate
    private let opacity: AnimatedValue
    private let mode: BlendMode
    private let rasterizer: Rasterizer
    private let destination: PixelRect
    private let coversCanvas: Bool
    private let filter: PictureFilter
    private var last: (frame: VideoFrame, index: Int, raster: RasterPicture, picture: RasterPicture)?

    init(_ layer: Layer, _ hash: String, timing: SourceTiming?, _ context: PaintContext) throws(MediaError) {
        let source = try context.readers.source(hash)
        guard let video = source.facts.video else {
            throw MediaError(.noStream, subject: source.path, message: "has no picture")
        }
        content = timing == nil ? .still(source: hash) : .video(source: hash)
        reader = try context.readers.reader(hash, timing)
        self.timing = timing
        frameRate = context.frameRate
        opacity = layer.opacity
        mode = layer.blendMode ?? .normal
        let placement =
            layer.placement
            ?? Placement(orientation: video.orientation, region: .whole, destination: PixelRect(context.canvas))
        destination = placement.destination
        rasterizer = Rasterizer(video, placement, subject: source.path)
        filter = try PictureFilter(layer.operations ?? [], subject: source.path, context)
        coversCanvas =
            destination == PixelRect(context.canvas) && !video.hasAlpha && !filter.changesAlpha && mode == .normal
    }

    var isStill: Bool { timing == nil && filter.isStill && opacity.constantValue != nil }

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
        let repetition: LayerProgram.Repetition =
            !filter.isStill ? .everyFrame : timing == nil ? .once : .whenSourceChanges
        guard opacity.value(at: frameRate.time(ofFrame: index)) > 0 else {
            return LayerProgram(content, repetition: repetition, joining: .unseen)
        }
        let frame = try sourceFrame(atFrame: index)
        let picture = try raster(atFrame: index)
        var program = LayerProgram(
            content, repetition: repetition,
            joining: .blended(rect: destination, mode: mode, opacity: known, isOpaque: picture.alpha == nil))
        program.reading = rasterizer.reading(frame)
        program.operations = try filter.program(
            atFrame: index, size: picture.frame.size, hasAlpha: last?.raster.alpha != nil)
        return program
    }

    private func sourceFrame(atFrame index: Int) throws(MediaError) -> VideoFrame {
        guard let timing else { return try reader.frame(at: .zero) }
        return try reader.frame(at: timing.sourceTime(at: frameRate.time(ofFrame: index)), reversed: timing.isReversed)
    }

    private func raster(atFrame index: Int) throws(MediaError) -> RasterPicture {
        let frame = try sourceFrame(atFrame: index)
        let raster: RasterPicture
        if let last, last.frame === frame {
            if filter.isStill || last.index == index { return last.picture }
            raster = last.raster
        } else {
            raster = try rasterizer.rasterize(frame)
        }
        let picture = try filter.filtered(raster, atFrame: index)
        last = (frame, index, raster, picture)
        return picture
    }
}
