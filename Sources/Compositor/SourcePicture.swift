import ExactTime
import ExportPlan
import Media

/// A source's picture at its own size: upright, cropped, in BT.709.
final class SourcePicture: LayerPicture {
    let width: Double
    let height: Double
    private let hash: String
    private let reader: FrameReader
    private let timing: SourceTiming?
    private let frameRate: FrameRate
    private let rasterizer: Rasterizer
    private var last: (frame: VideoFrame, picture: RasterPicture)?

    init(_ layer: Layer, _ hash: String, _ timing: SourceTiming?, _ context: PaintContext) throws(MediaError) {
        let source = try context.readers.source(hash)
        guard let video = source.facts.video else {
            throw MediaError(.noStream, subject: source.path, message: "has no picture")
        }
        self.hash = hash
        reader = try context.readers.reader(hash, timing)
        self.timing = timing
        frameRate = context.frameRate
        let orientation = layer.placement?.orientation ?? video.orientation
        let region = layer.placement?.region ?? .whole
        var upright = video
        upright.orientation = orientation
        width = region.width.doubleValue * Double(upright.displaySize.width)
        height = region.height.doubleValue * Double(upright.displaySize.height)
        rasterizer = Rasterizer(
            video,
            Placement(
                orientation: orientation, region: region,
                destination: PixelRect(FrameSize(evenlyAround: width, height))), subject: source.path)
    }

    var isStill: Bool { timing == nil }

    func picture(atFrame index: Int) throws(MediaError) -> RasterPicture {
        let frame = try sourceFrame(atFrame: index)
        if let last, last.frame === frame { return last.picture }
        let picture = try rasterizer.rasterize(frame)
        last = (frame, picture)
        return picture
    }

    func program(atFrame index: Int) throws(MediaError) -> LayerPictureProgram {
        var program = LayerPictureProgram(
            timing == nil ? .still(source: hash) : .video(source: hash),
            repetition: timing == nil ? .once : .whenSourceChanges)
        program.reading = rasterizer.reading(try sourceFrame(atFrame: index))
        return program
    }

    private func sourceFrame(atFrame index: Int) throws(MediaError) -> VideoFrame {
        guard let timing else { return try reader.frame(at: .zero) }
        return try reader.frame(at: timing.sourceTime(at: frameRate.time(ofFrame: index)), reversed: timing.isReversed)
    }
}
