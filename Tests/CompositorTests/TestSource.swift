import Compositor
import ExactTime
import ExportPlan
import Media
import TestSupport

/// The reference and the file of a test's source.
struct TestSource {
    let reference: SourceReference
    /// The content hash, by which layers name the source.
    var hash: String { reference.facts.contentHash }
    var sources: [String: SourceReference] { [hash: reference] }

    init(_ path: String) throws {
        reference = SourceReference(facts: try Probe.facts(ofFile: path), path: path)
    }

    /// A lossless video of these pictures at 25 frames per second.
    init(_ pictures: [PlanarPicture], in directory: TemporaryDirectory, options: [String] = RawVideo.bt709) async throws {
        let path = directory.file("lossless-\(pictures[0].size).mkv")
        try await RawVideo.write(
            pictures.map(\.bytes), pixelFormat: "yuv420p", size: pictures[0].size, options: options, to: path)
        try self.init(path)
    }

    /// Plays the source from its start, frame for frame.
    var playing: Layer.Content {
        .video(source: hash, timing: SourceTiming(timelineStart: .zero, sourceStart: .zero, rate: .one))
    }
}

/// Draws frames of one stack of layers at 25 frames per second.
func composed(
    _ layers: [Layer], canvas: FrameSize, _ sources: [String: SourceReference], frames: [Int] = [0]
) throws -> [PlanarPicture] {
    let always = TimeRange(start: .zero, duration: MediaTime(seconds: 3600))
    let compositor = try Compositor(
        Instruction(timeRange: always, layers: layers), canvas: canvas, frameRate: FrameRate(25), sources: sources)
    return try frames.map { PlanarPicture(try compositor.picture(atFrame: $0)) }
}

extension Layer {
    static func solid(_ color: RGBAColor) -> Layer { Layer(content: .solid(color: color)) }
}

extension Placement {
    /// Places the whole picture, upright unless an orientation is given, into a rectangle.
    static func whole(into rect: PixelRect, _ orientation: Orientation = .upright) -> Placement {
        Placement(orientation: orientation, region: .whole, destination: rect)
    }
}
