import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

/// The colours of files of broadcast size without colour tags, compared with ffmpeg's conversion from an explicit
/// matrix.
@Suite struct TelevisionColorTests {
    struct Size: Sendable, CustomTestStringConvertible {
        var width, height: Int
        var primaries: ColorDescription.Primaries
        var testDescription: String { "\(width)x\(height)" }
    }

    static let sizes = [
        Size(width: 720, height: 576, primaries: .bt470bg), Size(width: 704, height: 576, primaries: .bt470bg),
        Size(width: 720, height: 608, primaries: .bt470bg), Size(width: 720, height: 480, primaries: .bt601),
        Size(width: 704, height: 480, primaries: .bt601), Size(width: 720, height: 486, primaries: .bt601),
        Size(width: 720, height: 512, primaries: .bt601),
    ]

    @Test(
        "Untagged pictures of broadcast size are BT.601 with their system's primaries, converted as by ffmpeg",
        arguments: sizes)
    func broadcast(_ size: Size) async throws {
        let directory = try TemporaryDirectory()
        let path = try await film(size.width, size.height, in: directory)
        let color = try #require(try Probe.facts(ofFile: path).video?.color)
        #expect(color == ColorDescription(matrix: .bt601, primaries: size.primaries, transfer: .sdr, isFullRange: false))
        try await compare(path, size.width, size.height, color, matrix: "bt601")
    }

    @Test("Untagged pictures of other sizes above 576 lines are BT.709", arguments: [(1280, 720), (640, 608), (1920, 1080)])
    func others(_ width: Int, _ height: Int) async throws {
        let directory = try TemporaryDirectory()
        let path = try await film(width, height, in: directory)
        let color = try #require(try Probe.facts(ofFile: path).video?.color)
        #expect(color == .bt709)
        try await compare(path, width, height, color, matrix: "bt709")
    }

    @Test("The colour tags of a file of broadcast size take precedence")
    func tagged() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("tagged.mkv")
        try await FFmpegTool.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=720x576:r=25:d=0.04,format=yuv420p", "-c:v", "ffv1"] + RawVideo.bt709 + [path])
        #expect(try Probe.facts(ofFile: path).video?.color == .bt709)
    }

    private func film(_ width: Int, _ height: Int, in directory: TemporaryDirectory) async throws -> String {
        let path = directory.file("film.mkv")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=\(width)x\(height):r=25:d=0.04,format=yuv420p", "-c:v", "ffv1", path,
        ])
        let video = try #require(try await FFprobeReport.of(path).video)
        try #require(video.colorSpace == nil && video.colorPrimaries == nil, "ffprobe finds tags")
        return path
    }

    /// Compares the file's conversion to BT.709 with ffmpeg's.
    private func compare(_ path: String, _ width: Int, _ height: Int, _ color: ColorDescription, matrix: String) async throws {
        let size = FrameSize(width: width, height: height)
        let reader = try FrameReader(SourceReference(facts: try Probe.facts(ofFile: path), path: path))
        let found = try PictureScaler(subject: "test")
            .scale(try reader.frame(at: .zero), region: .whole, color: color, to: .yuv420, size: size)
        let directory = try TemporaryDirectory()
        let converted = directory.file("converted.mkv")
        try await FFmpegTool.ffmpeg([
            "-i", path, "-vf",
            "scale=in_color_matrix=\(matrix):out_color_matrix=bt709:in_range=tv:out_range=tv"
                + ":flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp+bitexact,format=yuv420p",
            "-c:v", "ffv1", converted,
        ])
        let bytes = try await RawVideo.decode(converted, pixelFormat: "yuv420p", bytesPerFrame: width * height * 3 / 2)
        let theirs = PlanarPicture(size: size, bytes: bytes[0])
        #expect(PlanarPicture(found).largestDifference(from: theirs) <= 1)
    }
}
