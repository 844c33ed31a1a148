import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

@Suite("Plans with audio filters")
struct AudioFilterPlanTests {
    private let facts: [String: SourceFacts] = [
        "a": .film("a", seconds: Rational(90)), "m": .sound("m", seconds: Rational(90)), "i": .picture("i"),
        "silent": .film("silent", hasSound: false),
    ]

    private func sample(_ more: String) throws -> SampleDraft {
        try SampleDraft(
            json: """
                {"version": 1, "mainTrackClips": [
                  {"type": "av", "url": "a", "timeRange": {"start": 0, "duration": 30}},
                  {"type": "av", "url": "a", "timeRange": {"start": 40, "duration": 30}}], \(more)}
                """, facts: facts)
    }

    @Test("A filtered sound stays in one segment from its start to its end, and has all parameters")
    func whole() throws {
        let music = #""audioClips": [{"url": "m", "timeRange": {"start": 0, "duration": 45}, "startTimeAtMainTrack": 5 FILTERS}]"#
        let plain = try sample(music.replacing("FILTERS", with: "")).plan()
        let filters = #", "audioFilters": [{"type": "highpass", "frequency": 80}, {"type": "reverb", "url": "m", "wet": 0.5}]"#
        let filtered = try sample(music.replacing("FILTERS", with: filters)).plan()
        #expect(plain.audioSegments.count > filtered.audioSegments.count)
        let segment = try #require(filtered.audioSegments.first { $0.slice.inputs.contains { $0.filters != nil } })
        let input = try #require(segment.slice.inputs.first { $0.filters != nil })
        #expect(input.sampleCount == 45 * 44_100)
        #expect(
            (segment.firstSample...(segment.firstSample + segment.slice.sampleCount)).contains(5 * 44_100 + input.sampleCount))
        let hash = try #require(facts["m"]?.contentHash)
        #expect(
            input.filters == [
                SoundFilter(kind: .highpass, parameters: ["frequency": 80, "width": 0.707, "poles": 2]),
                SoundFilter(kind: .reverb, parameters: ["dry": 1, "wet": 0.5], impulse: hash),
            ])
        #expect(segment.slice.sources.contains(hash))
    }

    @Test("A film that begins inside of a filtered clip has the clip from its own start")
    func cropped() throws {
        var sample = try sample(#""timeRange": {"start": 12, "duration": 10}"#)
        sample.draft.mainTrackClips[0].audioFilters = [AudioFilter(type: .gate)]
        let input = try #require(try sample.plan().audioSegments.first?.slice.inputs.first)
        #expect(input.firstSample == -12 * 44_100 && input.sampleCount == 30 * 44_100)
    }

    @Test("Filters of the mix are in the soundtrack alone, and change nothing else")
    func mix() throws {
        let plain = try sample(#""audio": {}"#).plan()
        let filtered = try sample(#""audio": {"audioFilters": [{"type": "compressor"}]}"#).plan()
        #expect(filtered.soundtrack?.filters?.map(\.kind) == [.compressor] && plain.soundtrack?.filters == nil)
        #expect(filtered.audioSegments == plain.audioSegments && filtered.soundtrack?.key != plain.soundtrack?.key)
    }

    @Test("An impulse response without sound is an error at its place", arguments: ["i", "silent"])
    func impulse(_ url: String) throws {
        var sample = try sample(#""chapters": []"#)
        sample.draft.mainTrackClips[1].audioFilters = [AudioFilter(type: .reverb, url: url)]
        #expect(sample.faults() == [Fault("mainTrackClips[1].audioFilters[0].url", .invalidValue)])
    }

    @Test("Pan and volume of audio clips follow their keyframes, and the middle is no pan")
    func animated() throws {
        let composition = try sample(
            #"""
            "audioClips": [{"url": "m", "startTimeAtMainTrack": 2, "animations": [
              {"keyPath": "volume", "keyTimes": [0, 4], "values": [0, 1]}, {"keyPath": "pan", "keyTimes": [1, 3], "values": [-1, 0.5]}]},
              {"url": "m", "pan": 0}]
            """#
        ).compose()
        let inputs = composition.audioInputs.filter { $0.isMainTrack != true }
        #expect(inputs[0].pan?.points.map(\.gain) == [0, 1.5])
        #expect(inputs[0].pan?.points.map(\.time) == [MediaTime(seconds: 3), MediaTime(seconds: 5)])
        #expect(inputs[0].gains.map { $0.line(at: MediaTime(seconds: 4)) } == [0.5])
        #expect(inputs[1].pan == nil)
    }

    @Test("Frequencies that the film's sample rate does not hold are warnings")
    func frequencies() throws {
        var sample = try sample(#""audio": {"audioFilters": [{"type": "lowpass", "frequency": 22050}]}"#)
        sample.draft.mainTrackClips[0].audioFilters = [
            AudioFilter(type: .highpass, parameters: ["frequency": 22_049]),
            AudioFilter(type: .equalizer, parts: [["frequency": 100, "gain": 1], ["frequency": 30_000, "gain": 1]]),
        ]
        #expect(
            try sample.compiler.compile(sample.draft).warnings.map { Fault($0.path, $0.code) } == [
                Fault("mainTrackClips[0].audioFilters[1].bands[1].frequency", .noEffect),
                Fault("audio.audioFilters[0].frequency", .noEffect),
            ])
        sample.settings.sampleRate = 96_000
        #expect(try sample.compiler.compile(sample.draft).warnings.isEmpty)
    }

    @Test("A pan in a film with one channel, and filters of a silent source, are warnings")
    func warnings() throws {
        var sample = try sample(#""chapters": []"#)
        sample.settings.channels = 1
        sample.draft.mainTrackClips[0].pan = 0.5
        sample.draft.mainTrackClips[1].url = "silent"
        sample.draft.mainTrackClips[1].timeRange = nil
        sample.draft.mainTrackClips[1].audioFilters = [AudioFilter(type: .gate)]
        let compiled = try sample.compiler.compile(sample.draft)
        #expect(
            compiled.warnings.map { Fault($0.path, $0.code) } == [
                Fault("mainTrackClips[1].audioFilters", .noEffect), Fault("mainTrackClips[0].pan", .noEffect),
            ])
    }
}
