import ExactTime
import Testing
import TestSupport

/// A film has exactly `ceil(duration * frameRate)` frames and declares exactly `round(duration * sampleRate)` samples.
@Suite struct LengthTests {
    static let rates = ["24000/1001", "24", "25", "30000/1001", "30", "50", "60000/1001", "60"]

    @Test("Frames and samples are exact at every common rate", arguments: rates)
    func exactLength(_ rate: String) async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(30), frames: 90)
        let film = try await SpoolTool.export(
            """
            {"version": 1, "frameRate": "\(rate)", "mainTrackClips": [
              {"type": "av", "url": "a.mp4", "timeRange": {"start": 0.1, "duration": "1234/1000"}, "speed": "7/6"},
              {"type": "av", "url": "a.mp4", "timeRange": {"start": 1, "duration": 0.777},
               "transition": {"type": "dissolve", "duration": 0.3}}]}
            """, in: directory)
        let duration = Rational(1234, 1000) / Rational(7, 6) + Rational(777, 1000) - Rational(3, 10)
        try await expect(film, duration, try #require(Rational(text: rate)))
    }

    @Test("Fifty clips with transitions do not drift", arguments: ["30000/1001", "24"])
    func noDrift(_ rate: String) async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(25), frames: 50)
        let clips = (0..<50).map { index in
            let transition = index == 0 ? "" : #", "transition": {"type": "wipeLeft", "duration": "1/7"}"#
            return #"{"type": "av", "url": "a.mp4", "timeRange": {"start": 0, "duration": "\#(50 + index)/100"}\#(transition)}"#
        }
        let film = try await SpoolTool.export(
            #"{"version": 1, "videoSize": {"width": 64, "height": 36}, "frameRate": "\#(rate)", "mainTrackClips": [\#(clips.joined(separator: ","))]}"#,
            in: directory)
        let duration = (0..<50).reduce(Rational.zero) { $0 + Rational(Int64(50 + $1), 100) } - Rational(49) * Rational(1, 7)
        try await expect(film, duration, try #require(Rational(text: rate)))
    }

    private func expect(_ film: String, _ duration: Rational, _ rate: Rational) async throws {
        let report = try await FFprobeReport.of(film, ["-count_frames"])
        let frames = (duration * rate).ceil
        #expect(report.video?.nbReadFrames == "\(frames)")
        #expect(report.video?.exactDuration == MediaTime(Rational(frames) / rate))
        #expect(report.video?.startPts == 0)
        #expect(report.audio?.startPts == 0)
        #expect(report.audio?.durationTs == Int64((duration * Rational(44_100)).rounded))
        #expect(report.audio?.timeBase == "1/44100")
    }
}
