import ExactTime
import ExportPlan
import Media

/// A source's picture at its own size: upright, cropped, in BT.709.
final class SourcePicture: LayerPicture {
    let width: Double
    let height: Double
    private let source: SourceFrames

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
        let placement = Placement(
            orientation: orientation, region: region, destination: PixelRect(FrameSize(evenlyAround: width, height)))
        self.source = try SourceFrames(
            hash, timing, Rasterizer(video, placement, subject: source.path, log: context.log), context)
    }

    var isStill: Bool { source.isStill }

    func picture(atFrame index: Int) throws(MediaError) -> RasterPicture { try source.picture(atFrame: index) }

    var repetition: Explanation.Repetition { source.repetition }
}
