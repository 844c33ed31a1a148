import ExactTime
import ExportPlan
import Media

/// A source's picture at its own size: upright, cropped, in BT.709. A drawing has more samples where it is shown larger.
final class SourcePicture: LayerPicture {
    let width: Double
    let height: Double
    private var source: SourceFrames
    private let hash: String
    private let path: String
    private let timing: SourceTiming?
    private let video: VideoFacts
    private let placement: Placement
    private let context: PaintContext
    private var density = 1

    init(_ layer: Layer, _ hash: String, _ timing: SourceTiming?, _ context: PaintContext) throws(MediaError) {
        let source = try context.readers.source(hash)
        guard let video = source.facts.video else {
            throw MediaError(.noStream, subject: source.path, message: "has no picture")
        }
        let orientation = layer.placement?.orientation ?? video.orientation
        let region = layer.placement?.region ?? .whole
        var upright = video
        upright.orientation = orientation
        width = region.width.doubleValue * Double(upright.displaySize.width)
        height = region.height.doubleValue * Double(upright.displaySize.height)
        placement = Placement(
            orientation: orientation, region: region, destination: PixelRect(FrameSize(evenlyAround: width, height)))
        (self.hash, path, self.timing, self.video, self.context) = (hash, source.path, timing, video, context)
        self.source = try SourceFrames(
            hash, timing, Rasterizer(video, placement, subject: source.path, primaries: context.primaries, log: context.log),
            context)
    }

    /// A density is a power of two, so that a growing picture is not drawn anew for each frame.
    func useDensity(_ samplesPerPixel: Double) throws(MediaError) {
        guard video.isDrawing else { return }
        let wanted = DrawnView.density(of: placement.destination.size, atLeast: samplesPerPixel)
        guard wanted != density else { return }
        var enlarged = placement
        let size = placement.destination.size
        enlarged.destination = PixelRect(FrameSize(width: size.width * wanted, height: size.height * wanted))
        source = try SourceFrames(
            hash, timing, Rasterizer(video, enlarged, subject: path, primaries: context.primaries, log: context.log), context)
        density = wanted
    }

    var isStill: Bool { source.isStill }

    func picture(atFrame index: Int) throws(MediaError) -> RasterPicture { try source.picture(atFrame: index) }

    var repetition: Explanation.Repetition { source.repetition }
}
