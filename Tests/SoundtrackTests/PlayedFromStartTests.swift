import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Sound that must not be cut and lasts long is in several segments, each of which plays it from its start.
@Suite("Sound that is played from its start")
struct PlayedFromStartTests {
    private static let rate = 16_000

    @Test(
        "A sound whose decoder depends on where it starts is the same in several segments as in one",
        arguments: [false, true])
    func aac(reversed: Bool) async throws {
        let directory = try TemporaryDirectory()
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "anoisesrc=duration=303:sample_rate=16000:amplitude=0.3:seed=5", "-c:a", "aac", "-b:a", "24k",
            directory.file("noise.m4a"),
        ])
        let source = try reference(directory.file("noise.m4a"))
        let sources = [source.facts.contentHash: source]
        var clip = MainTrackClip(type: .av, url: "a")
        clip.timeRange = TimeRange(start: MediaTime(Rational(1, 2)), duration: MediaTime(seconds: 302))
        clip.reverse = reversed ? true : nil
        var draft = Draft()
        draft.mainTrackClips = [clip]
        draft.videoSize = PixelSize(width: 16, height: 16)
        var settings = ExportSettings()
        settings.fileType = .wav
        settings.sampleRate = PlayedFromStartTests.rate
        settings.channels = 1
        let segments = try Compiler(settings: settings, facts: ["a": source.facts]).compile(draft).plan.audioSegments
        #expect(segments.map(\.slice.sampleCount) == [60, 60, 120, 62].map { $0 * PlayedFromStartTests.rate })
        #expect(segments.map { $0.slice.inputs[0].fromStart } == [nil, true, true, true])
        let cut = try segments.flatMap { try mixed($0.slice, sources) }
        // The same sound as one segment.
        var input = segments[1].slice.inputs[0]
        #expect(input.firstSample == -60 * PlayedFromStartTests.rate && input.sampleCount == 302 * PlayedFromStartTests.rate)
        (input.firstSample, input.fromStart) = (0, nil)
        let whole = try mixed(.of(input, sampleRate: PlayedFromStartTests.rate, channels: 1), sources)
        #expect(cut.contains { abs($0) > 0.1 })
        #expect(cut == whole)
        // Read from the cut on, it is another sound: the test would see that.
        var careless = segments[1].slice
        careless.inputs[0].fromStart = nil
        #expect(try mixed(careless, sources) != Array(whole[(60 * PlayedFromStartTests.rate)...]))
    }
}
