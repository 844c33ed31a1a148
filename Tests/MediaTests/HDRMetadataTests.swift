import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

/// The HDR metadata and the chroma location of sources.
@Suite struct HDRMetadataTests {
    private static func place(_ x: Int64, _ y: Int64) -> MasteringDisplay.Chromaticity {
        MasteringDisplay.Chromaticity(x: Rational(x, 50_000), y: Rational(y, 50_000))
    }

    private static let display = MasteringDisplay(
        red: place(34_000, 16_000), green: place(13_250, 34_500), blue: place(7500, 3000), white: place(15_635, 16_450),
        minLuminance: Rational(1, 200), maxLuminance: Rational(1000))

    @Test("HDR metadata is read exactly from the stream's own messages", arguments: ["a.mp4", "a.mkv"])
    func read(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file(name)
        try await TenBitClip.write(
            .pq, hasHDRMetadata: true, frames: 5, options: ["-chroma_sample_location", "topleft"], to: path)
        let video = try #require(try Probe.facts(ofFile: path).video)
        #expect(video.hdrMetadata?.masteringDisplay == HDRMetadataTests.display)
        #expect(video.hdrMetadata?.contentLight == ContentLight(maxContent: 1000, maxFrameAverage: 400))
        #expect(video.chromaLocation == .topLeft)
        #expect(video.bitsPerSample == 10)
        #expect(video.color.transfer == .pq)
    }

    @Test("AV1 gives the same HDR metadata, although it stores it in other steps")
    func otherSteps() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.mp4")
        let source = directory.file("n.mp4")
        try await TenBitClip.write(.pq, frames: 5, to: source)
        let parameters =
            "mastering-display=G(0.265,0.690)B(0.150,0.060)R(0.680,0.320)WP(0.3127,0.3290)L(1000.0,0.0050):content-light=1000,400"
        try await FFmpegTool.ffmpeg(
            ["-i", source, "-an", "-c:v", "libsvtav1", "-preset", "12", "-svtav1-params", "lp=1:\(parameters)"] + [path])
        let video = try #require(try Probe.facts(ofFile: path).video)
        #expect(video.hdrMetadata?.masteringDisplay == HDRMetadataTests.display)
        #expect(video.hdrMetadata?.contentLight == ContentLight(maxContent: 1000, maxFrameAverage: 400))
    }

    @Test("A source without HDR metadata gets none")
    func silent() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.mp4")
        try await TenBitClip.write(.hlg, frames: 5, to: path)
        #expect(try Probe.facts(ofFile: path).video?.hdrMetadata == nil)
    }
}
