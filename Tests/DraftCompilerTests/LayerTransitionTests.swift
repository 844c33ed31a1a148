import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// How the transitions of layers are checked and lowered.
@Suite struct LayerTransitionTests {
    private let facts = [
        "a": SourceFacts.film("a"), "silent": .film("silent", hasSound: false), "i": .picture("i"),
    ]

    /// A film of two clips of ten seconds each with one layer.
    private func sample(_ layer: String) throws -> SampleDraft {
        try SampleDraft(
            json: #"{"version": 1, "videoSize": {"width": 640, "height": 360}, "frameRate": 30, "#
                + #""mainTrackClips": [{"type": "av", "url": "silent"}, {"type": "av", "url": "silent"}], "layers": [\#(layer)]}"#,
            facts: facts)
    }

    private let solid = ##""source": {"type": "solid", "color": "#FF0000"}"##

    private func lowered(_ layer: String) throws -> Layer {
        try #require(try sample(layer).compose().instructions.first?.layers.last)
    }

    @Test("Transitions cover the beginning and the end of the layer's range")
    func ranges() throws {
        let layer = try lowered(
            #"{"timeRange": {"start": 1, "duration": 3}, \#(solid), "transitionIn": {"duration": 0.5}, "transitionOut": {"type": "wipeUp", "duration": 1}}"#
        )
        #expect(
            layer.transitions == [
                LayerTransition(kind: .dissolve, direction: .entering, timeRange: TimeRange(Rational(1), Rational(3, 2))),
                LayerTransition(kind: .wipeUp, direction: .leaving, timeRange: TimeRange(Rational(3), Rational(4))),
            ])
    }

    @Test("A video's last transition ends with its source, and the layers of a group have the group's time")
    func videosAndGroups() throws {
        let video = try lowered(
            #"{"timeRange": {"start": 1, "duration": 30}, "source": {"type": "video", "url": "a", "timeRange": {"start": 0, "duration": 4}, "speed": 2}, "transitionOut": {"duration": 1}}"#
        )
        #expect(video.transitions?.map(\.timeRange) == [TimeRange(Rational(2), Rational(3))])
        let group = try lowered(
            #"{"timeRange": {"start": 2, "duration": 4}, "source": {"type": "group", "size": {"width": 64, "height": 32}, "layers": [{"timeRange": {"start": 1, "duration": 1}, \#(solid), "transitionIn": {"type": "lumaMap", "url": "i", "softness": 0.5, "duration": 0.5}}]}}"#
        )
        guard case .group(let layers, let size) = group.content, let inner = layers.first?.transitions?.first else {
            Issue.record("no group: \(group)")
            return
        }
        #expect(inner.timeRange == TimeRange(Rational(3), Rational(7, 2)))
        #expect(inner.map?.softness == 0.5)
        #expect(inner.map?.picture.last?.placement?.destination == PixelRect(size))
        #expect(group.sources == Set([facts["i"]?.contentHash].compactMap(\.self)))
    }

    @Test("Transitions that do not fit into the time in which the layer is seen are errors")
    func tooLong() throws {
        let still = #"{"timeRange": {"start": 0, "duration": 2}, \#(solid)"#
        let video =
            #"{"timeRange": {"start": 0, "duration": 9}, "source": {"type": "video", "url": "a", "timeRange": {"start": 0, "duration": 1}}"#
        let cases: [(String, [Fault])] = [
            (#"\#(still), "transitionIn": {"duration": 2}}"#, []),
            (#"\#(still), "transitionIn": {"duration": 1}, "transitionOut": {"duration": 1}}"#, []),
            (#"\#(still), "transitionIn": {"duration": 2.1}}"#, [Fault("layers[0].transitionIn.duration", .transitionTooLong)]),
            (
                #"\#(still), "transitionIn": {"duration": 1.5}, "transitionOut": {"duration": 1}}"#,
                [Fault("layers[0].transitionOut.duration", .transitionTooLong)]
            ),
            (#"\#(video), "transitionOut": {"duration": 1.5}}"#, [Fault("layers[0].transitionOut.duration", .transitionTooLong)]),
            (
                #"\#(still), "transitionIn": {"type": "lumaMap", "url": "silent", "duration": 1}}"#,
                [Fault("layers[0].transitionIn.url", .invalidValue)]
            ),
            (
                #"{"timeRange": {"start": 0, "duration": 2}, "source": {"type": "group", "layers": [\#(still), "transitionOut": {"duration": 3}}]}}"#,
                [Fault("layers[0].source.layers[0].transitionOut.duration", .transitionTooLong)]
            ),
        ]
        for (layer, wanted) in cases { #expect(try sample(layer).faults() == wanted, "\(layer)") }
    }

    @Test("The sound of a video, and of the videos in a group, fades with the layer")
    func sound() throws {
        func heard(_ layer: String, at time: Rational) throws -> Double {
            let composition = try sample(layer).compose()
            let input = try #require(composition.audioInputs.first)
            // A group's transition fades the sum of the sounds in it.
            let group = input.group.flatMap { composition.soundGroups?[$0] }
            return gain(input, at: time) * (group?.gains ?? []).reduce(1) { $0 * gain([$1], at: time) }
        }
        let video = #""source": {"type": "video", "url": "a"}"#
        let faded =
            #"{"timeRange": {"start": 1, "duration": 4}, \#(video), "transitionIn": {"duration": 1}, "transitionOut": {"duration": 2, "audio": "cut"}}"#
        #expect(try heard(faded, at: Rational(3, 2)) == 0.5)
        #expect(try heard(faded, at: Rational(5, 2)) == 1)
        #expect(try heard(faded, at: Rational(39, 10)) == 1)
        #expect(try heard(faded, at: Rational(41, 10)) == 0)
        let group =
            #"{"timeRange": {"start": 1, "duration": 4}, "source": {"type": "group", "layers": [{"timeRange": {"start": 0, "duration": 4}, \#(video)}]}, "transitionOut": {"duration": 2}}"#
        #expect(try heard(group, at: Rational(2)) == 1)
        #expect(try heard(group, at: Rational(9, 2)) == 0.25)
        let unchanged =
            #"{"timeRange": {"start": 1, "duration": 4}, \#(video), "transitionIn": {"duration": 1, "audio": "nofade"}}"#
        #expect(try sample(unchanged).compose().audioInputs.first?.gains.isEmpty == true)
    }

    @Test("A sound field of a silent video, and a transition of a layer that is not drawn, are warnings")
    func warnings() throws {
        func paths(_ layer: String) throws -> [String] {
            let sample = try sample(layer)
            return try sample.compiler.compile(sample.draft).warnings.map(\.path)
        }
        let silent =
            #"{"timeRange": {"start": 1, "duration": 4}, "source": {"type": "video", "url": "silent"}, "transitionIn": {"duration": 1, "audio": "cut"}}"#
        #expect(try paths(silent) == ["layers[0].transitionIn.audio"])
        let hidden = #"{"timeRange": {"start": 1, "duration": 4}, \#(solid), "video": false, "transitionOut": {"duration": 1}}"#
        #expect(try paths(hidden) == ["layers[0].transitionOut"])
    }

    @Test("Segments outside of a transition have the keys that they have without it, and a transition costs time and memory")
    func keysAndCosts() throws {
        func plan(_ transition: String) throws -> RenderPlan {
            // Predicted memory is rounded, so that only a large frame shows the difference.
            var sample = try sample(#"{"timeRange": {"start": 0, "duration": 20}, \#(solid)\#(transition)}"#)
            sample.draft.videoSize = PixelSize(width: 3840, height: 2160)
            return try sample.plan()
        }
        let (plain, joined) = (try plan(""), try plan(#", "transitionIn": {"type": "radial", "duration": 0.5}"#))
        let (before, after) = (plain.videoSegments.map(\.key), joined.videoSegments.map(\.key))
        #expect(before.count == after.count && before.count > 1)
        #expect(before[0] != after[0])
        #expect(before.dropFirst() == after.dropFirst())
        func amounts(_ plan: RenderPlan) throws -> [Double] {
            try #require(JobFeatures(.video(segment: plan.videoSegments[0]), facts: [:])).amounts
        }
        let features = JobKind.video.features
        let (cheap, dear) = (try amounts(plain), try amounts(joined))
        let pixels = 15 * 3840 * 2160 / 1e6
        for (feature, extra) in [(JobFeature.joinedPixels, pixels), (.drawnPixels, pixels)] {
            let index = try #require(features.firstIndex(of: feature))
            #expect(abs(dear[index] - cheap[index] - extra) < 1e-9, "\(feature)")
        }
        func memory(_ plan: RenderPlan) -> Int64 {
            DemandPrediction().demand(of: .video(segment: plan.videoSegments[0])).memory
        }
        #expect(memory(joined) > memory(plain))
    }
}
