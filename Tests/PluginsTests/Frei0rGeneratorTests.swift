import ExportPlan
import Plugins
import TestSupport
import Testing
import FoundationEssentials

/// frei0r's sources compared with FFmpeg's `frei0r_src`, which loads the same files.
@Suite("frei0r generators")
struct Frei0rGeneratorTests {
    /// A source with some of its parameters.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var values: [String: PluginValue] = [:]
        /// The parameters for FFmpeg, in order.
        var words = ""
        var testDescription: String { "\(name) \(words)" }
    }

    static let cases: [Case] =
        ["test_pat_B", "test_pat_C", "test_pat_G", "test_pat_L", "test_pat_R", "onecol0r", "lissajous0r"].map { Case(name: $0) }
        + [
            Case(name: "test_pat_B", values: ["Type": .number(value: 0.5)], words: "0.5"),
            Case(
                name: "test_pat_G",
                values: ["Type": .number(value: 0.4), "Size 1": .number(value: 0.25), "Size 2": .number(value: 0.75)],
                words: "0.4|0.25|0.75"),
            Case(
                name: "onecol0r", values: ["Color": .color(color: RGBAColor(red: 255, green: 0, blue: 51, alpha: 255))],
                words: "1/0/0.2"),
        ]

    @Test("A generator draws what FFmpeg's frei0r_src draws, bit for bit, at every time", arguments: cases)
    func witnessed(_ test: Case) async throws {
        guard let directories = PluginDirectories.having(test.name) else { return }
        let facts = try InstalledPlugins(directories).facts(ofPlugin: test.name)
        #expect(facts.plugin?.kind == .generator)
        let size = FrameSize(width: 96, height: 64)
        let expected = try await Frei0rGeneratorTests.ffmpeg(test.name, test.words, size, frames: 4)
        for frame in [3, 0] {
            let drawn = try PluginPicture.drawn(facts, in: directories, size: size, test.values, at: Double(frame) / 25)
            #expect(drawn == expected[frame], "frame \(frame)")
            #expect(Set(drawn.bytes).count > 1)
        }
    }

    @Test(
        "Any size is drawn as the upper left part of the next multiple of 8",
        arguments: [FrameSize(width: 37, height: 21), FrameSize(width: 2, height: 2)])
    func padded(_ size: FrameSize) throws {
        guard let directories = PluginDirectories.having("test_pat_B") else { return }
        let facts = try InstalledPlugins(directories).facts(ofPlugin: "test_pat_B")
        let whole = FrameSize(width: (size.width + 7) / 8 * 8, height: (size.height + 7) / 8 * 8)
        let padded = try PluginPicture.drawn(facts, in: directories, size: whole)
        let drawn = try PluginPicture.drawn(facts, in: directories, size: size)
        let cut: [UInt8] = (0..<size.height).flatMap { y in
            Array(padded.bytes[(4 * y * whole.width)..<(4 * (y * whole.width + size.width))])
        }
        #expect(drawn.bytes == cut)
    }

    /// The first frames of FFmpeg's source, at 25 a second.
    private static func ffmpeg(_ name: String, _ words: String, _ size: FrameSize, frames: Int) async throws -> [PluginPicture] {
        let directory = try TemporaryDirectory()
        let raw = directory.file("frames.raw")
        let source = "frei0r_src=size=\(size):framerate=25:filter_name=\(name):filter_params=\(words)"
        try await FFmpegTool.ffmpeg(
            ["-f", "lavfi", "-i", source, "-frames:v", "\(frames)", "-f", "rawvideo", "-pix_fmt", "rgba", raw])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        let count = 4 * size.width * size.height
        return (0..<frames).map { PluginPicture(size: size, bytes: Array(bytes[($0 * count)..<(($0 + 1) * count)])) }
    }
}
