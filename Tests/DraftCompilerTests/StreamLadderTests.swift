import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing

/// The renditions of streams.
@Suite("Renditions of streams")
struct StreamLadderTests {
    private func compiled(_ size: String, _ settings: [String: String]) throws -> RenderPlan {
        var sample = try SampleDraft(
            json: """
                {"version": 1, "videoSize": \(size), "frameRate": 24, "mainTrackClips": [{"type": "av", "url": "a"}]}
                """, facts: ["a": .film("a", seconds: Rational(30), keyframeInterval: Rational(2))])
        let (read, diagnostics) = ExportSettings.read(settings.merging(["fileType": "hls"]) { said, _ in said })
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        sample.settings = read
        return try sample.compiler.compile(sample.draft).plan
    }

    @Test(
        "The first rendition has the film's size, and the others the usual sizes that are clearly smaller",
        arguments: [
            ((1920, 1080), ["1920x1080", "1280x720", "854x480", "640x360"]),
            ((1080, 1920), ["1080x1920", "720x1280", "480x854", "360x640"]),
            ((3840, 2160), ["3840x2160", "2560x1440", "1920x1080", "1280x720", "854x480", "640x360"]),
            ((640, 400), ["640x400"]), ((64, 64), ["64x64"]), ((1000, 1000), ["1000x1000", "720x720", "480x480", "360x360"]),
        ])
    func usual(_ size: (Int, Int), _ sizes: [String]) throws {
        let plan = try compiled(#"{"width": \#(size.0), "height": \#(size.1)}"#, [:])
        #expect(plan.stitch.stream?.renditions.map(\.description) == sizes)
        #expect(plan.stitch.stream?.keyframeSpacing == 48)
        #expect(plan.videoSegments.allSatisfy { $0.slice.encode.renditions?.map(\.description) == sizes })
        #expect(
            plan.videoSegments.allSatisfy { $0.slice.encode.keyframeSpacing == 48 && $0.slice.encode.maxKeyframeInterval == 48 })
    }

    @Test("Renditions and the distance of keyframes are those of the settings, and every one changes the keys")
    func said() throws {
        let size = #"{"width": 1280, "height": 720}"#
        let plan = try compiled(size, ["renditions": "360, 720", "maxKeyframeInterval": "1"])
        #expect(
            plan.stitch.stream
                == StreamPlan(renditions: [.init(width: 1280, height: 720), .init(width: 640, height: 360)], keyframeSpacing: 24))
        let other = try compiled(size, ["renditions": "720", "maxKeyframeInterval": "1"])
        #expect(Set(plan.videoSegments.map(\.key)).isDisjoint(with: other.videoSegments.map(\.key)))
        #expect(plan.stitch.key != other.stitch.key && plan.soundtrack == other.soundtrack)
    }

    @Test("A rendition that is larger than the film is refused, and other films have no renditions")
    func refused() throws {
        let error = #expect(throws: DraftError.self) {
            try compiled(#"{"width": 1280, "height": 720}"#, ["renditions": "1080"])
        }
        #expect(
            error?.diagnostics.first?.message
                == "has a rendition of 1080 pixels, and the film has 1280x720; none may be larger than 720")
        let plan = try compiled(#"{"width": 1280, "height": 720}"#, ["fileType": "mp4"])
        #expect(plan.stitch.stream == nil && plan.videoSegments.allSatisfy { $0.slice.encode.renditions == nil })
    }
}
