import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// `spool plan --explain`: the explanation of each segment, given by the code that makes it.
@Suite struct ExplanationTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(25), frames: 100)
        _ = try SourceClips.numbered("b.mp4", in: directory, rate: FrameRate(30), frames: 60, sampleRate: 48_000)
    }

    private func plan(_ draft: String, _ options: [String]) async throws -> SpoolTool.Outcome {
        let path = directory.file("draft.json")
        try Data(draft.utf8).write(to: URL(fileURLWithPath: path))
        return try await SpoolTool.run(["plan", path, "--cache", directory.file("cache")] + options)
    }

    private static let draft = """
        {"version": 1, "videoSize": {"width": 320, "height": 180}, "frameRate": 25,
         "mainTrackClips": [
          {"type": "av", "url": "a.mp4", "timeRange": {"start": 0, "duration": 3}},
          {"type": "av", "url": "b.mp4", "speed": 2, "volume": 0.5, "transition": {"type": "wipeLeft", "duration": 0.4},
           "cropRect": {"x": 0, "y": 0, "width": 160, "height": 160}, "timePitchAlgorithm": "varispeed",
           "filters": [{"type": "brightness", "amount": 0.1}, {"type": "saturation", "amount": 1}, {"type": "contrast", "amount": 1.2},
                       {"type": "blur", "radius": 3}]}],
         "background": {"type": "blur", "radius": 30},
         "layers": [
          {"timeRange": {"start": 1, "duration": 1}, "blendMode": "screen", "opacity": 0.5, "transform": {"center": {"x": 0.25, "y": 0.5}},
           "source": {"type": "shape", "shape": "rect", "size": {"width": 60, "height": 40}, "fill": "#204060"}},
          {"timeRange": {"start": 2, "duration": 0.4}, "source": {"type": "solid", "color": "#102030"}},
          {"timeRange": {"start": 3, "duration": 0.4}, "operations": [{"type": "sepia"}],
           "mask": {"source": {"type": "shape", "shape": "ellipse", "size": {"width": 100, "height": 100}}, "feather": 4},
           "animations": [{"keyPath": "opacity", "keyTimes": [0, 0.4], "values": [0, 1]}]},
          {"timeRange": {"start": 3, "duration": 0.4}, "transform": {"rotation": 20, "scale": 0.3},
           "source": {"type": "group", "layers": [
             {"timeRange": {"start": 0, "duration": 0.4}, "source": {"type": "solid", "color": "#FF0000"}},
             {"timeRange": {"start": 0.2, "duration": 0.2}, "source": {"type": "video", "url": "a.mp4"}, "audio": {"volume": 0}}]}}]}
        """

    @Test("A plan's explanation lists each segment as the snapshot does")
    func explanation() async throws {
        let outcome = try await plan(ExplanationTests.draft, ["--explain"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        // Keys depend on the bytes of the sources, which another version of the encoder would change. Predicted times have
        // tests of their own.
        let lines = outcome.output.split(separator: "\n").filter { !$0.hasPrefix("time ") }.map { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            guard let first = words.first, ["video", "audio", "sound", "film"].contains(first), !line.hasPrefix(" ") else {
                return String(line)
            }
            return ([first] + words.dropFirst(2)).joined(separator: " ").replacing(/, [0-9.]+ s$/, with: "")
        }
        #expect(try Snapshot("explained").compare(lines) == .matches)
    }

    @Test("The explanation as JSON is the plan with an explanation for each of its segments")
    func json() async throws {
        let outcome = try await plan(ExplanationTests.draft, ["--explain", "--json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        struct Explained: Decodable {
            struct Segment: Decodable {
                struct Explanation: Decodable {
                    struct Part: Decodable {}

                    var parts: [Part]
                }

                var key: String
                var explanation: Explanation?
            }

            struct Plan: Decodable {
                var videoSegments: [Segment]
                var audioSegments: [Segment]
            }

            var plan: Plan
            var video: [Segment]
            var audio: [Segment]
        }
        let found = try JSONDecoder().decode(Explained.self, from: Data(outcome.output.utf8))
        #expect(!found.video.isEmpty && found.video.map(\.key) == found.plan.videoSegments.map(\.key))
        #expect(!found.audio.isEmpty && found.audio.map(\.key) == found.plan.audioSegments.map(\.key))
        #expect((found.video + found.audio).allSatisfy { $0.explanation?.parts.isEmpty == false })
    }

    @Test("A segment that cannot be made says why, and the others are explained")
    func failure() async throws {
        let draft = """
            {"version": 1, "videoSize": {"width": 320, "height": 180}, "frameRate": 25,
             "mainTrackClips": [{"type": "av", "url": "b.mp4"}, {"type": "av", "url": "a.mp4"}],
             "layers": [{"timeRange": {"start": 3, "duration": 1},
                         "source": {"type": "shape", "shape": "ellipse", "size": {"width": 16384, "height": 16384}}}]}
            """
        let outcome = try await plan(draft, ["--explain"])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("16384x16384"), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(outcome.output.contains("unknown; see the error below"))
        #expect(outcome.output.contains("video b.mp4: the decoder's own frame"))
    }
}
