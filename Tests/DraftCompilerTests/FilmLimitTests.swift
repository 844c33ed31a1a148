import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

@Suite("How large a film may be")
struct FilmLimitTests {
    private let facts = [
        "a": SourceFacts.film("a"), "i": SourceFacts.picture("i"), "m": SourceFacts.sound("m"),
    ]

    private func still(_ seconds: Rational, rate: Int = 1) -> SampleDraft {
        var sample = SampleDraft([.image("i", lasting: seconds)], facts: facts)
        sample.draft.frameRate = FrameRate(rate)
        return sample
    }

    private func refused(_ sample: SampleDraft, at path: String) throws -> String {
        let faults = sample.diagnostics()
        #expect(faults.map { Fault($0.path, $0.code) } == [Fault(path, .outOfRange)])
        return try #require(faults.first?.message)
    }

    @Test("A film of twelve hours is compiled, one of a second more is refused")
    func length() throws {
        let limit = Rational(DraftLimits.seconds)
        #expect(try still(limit).plan().stitch.frameCount == DraftLimits.seconds)
        #expect(try refused(still(limit + .one), at: "mainTrackClips").contains("\(DraftLimits.seconds)"))
        var layers = SampleDraft([], facts: facts)
        layers.draft.videoSize = PixelSize(width: 16, height: 16)
        layers.draft.layers = [DraftLayer(timeRange: TimeRange(Rational(DraftLimits.seconds), limit + .one))]
        _ = try refused(layers, at: "layers")
    }

    @Test("Sixty thousand seconds at 240 frames a second are refused at once, as a film")
    func longFilm() throws {
        _ = try refused(still(Rational(60_000), rate: 240), at: "mainTrackClips")
    }

    @Test("As many frames as there may be are planned, and one more is refused with their number")
    func frames() throws {
        let limit = Rational(Int64(DraftLimits.frames), 240)
        #expect(try still(limit, rate: 240).plan().stitch.frameCount == DraftLimits.frames)
        let message = try refused(still(limit + Rational(1, 240), rate: 240), at: "mainTrackClips")
        #expect(message.contains("\(DraftLimits.frames + 1)") && message.contains("\(DraftLimits.frames)"))
        // What the film does not show does not count.
        var cropped = still(limit + Rational(1, 240), rate: 240)
        cropped.draft.timeRange = TimeRange(.zero, Rational(10))
        #expect(try cropped.plan().stitch.frameCount == 2400)
    }

    @Test("Each round of a loop is a sound, and one more than there may be is refused at its clip")
    func sounds() throws {
        let rounds = DraftLimits.sounds
        var sample = still(Rational(rounds) / Rational(10))
        sample.draft.audioClips = [
            .sound("m") {
                $0.timeRange = TimeRange(.zero, Rational(1, 10))
                $0.loop = true
            }
        ]
        #expect(sample.faults() == [])
        sample.draft.mainTrackClips = [.image("i", lasting: Rational(rounds) / Rational(10) + Rational(1, 100))]
        #expect(try refused(sample, at: "audioClips[0]").contains("\(rounds)"))
        // A video of a layer that plays for an instant, again and again.
        var source = LayerSource(type: .video, url: "a")
        source.timeRange = TimeRange(.zero, Rational(1, 100_000))
        source.loop = true
        var looped = still(Rational(3600))
        looped.draft.layers = [DraftLayer(timeRange: TimeRange(.zero, Rational(900_000)), source: source)]
        _ = try refused(looped, at: "layers[0].source")
    }

    @Test("Layers over many cuts are counted by what they are seen in, and the one that is too many is named")
    func composedLayers() throws {
        let clips = Array(repeating: MainTrackClip.image("i", lasting: Rational(1)), count: 5_000)
        var sample = SampleDraft(clips, facts: facts)
        // Each counts 5000 times for the cuts and 1250 times for its length.
        let layer = DraftLayer(timeRange: TimeRange(.zero, Rational(5_000)), source: LayerSource(type: .image, url: "i"))
        sample.draft.layers = Array(repeating: layer, count: DraftLimits.composedLayers / 6_250)
        #expect(sample.faults() == [])
        sample.draft.layers?.append(layer)
        _ = try refused(sample, at: "layers[\(DraftLimits.composedLayers / 6_250)]")
    }

    @Test("Effects that multiply each other are refused before they are carried out")
    func effects() throws {
        var clips = SampleDraft(Array(repeating: .image("i", lasting: Rational(1, 100)), count: 9_000), facts: facts)
        var twice = Effect(type: .repetition)
        twice.count = 2
        clips.draft.effects = [twice]
        #expect(clips.faults() == [])
        clips.draft.effects = [twice, twice]
        _ = try refused(clips, at: "effects[1]")
        // Effects on the picture multiply the work, and not the film.
        var contrast = Effect(type: .filter)
        contrast.operation = Filter(type: "contrast", parameters: ["amount": 1.2])
        clips.draft.effects = Array(repeating: contrast, count: DraftLimits.effectWork / 9_000)
        #expect(clips.faults() == [])
        clips.draft.effects?.append(contrast)
        _ = try refused(clips, at: "effects[\(DraftLimits.effectWork / 9_000)]")
    }

    @Test("An export of more jobs than there may be is refused with their number")
    func jobs() throws {
        // Each clip is a picture segment, each overlap another one, and each of both is measured.
        var clips = Array(repeating: MainTrackClip.image("i", lasting: Rational(2)), count: 6_250)
        for index in clips.indices.dropFirst() { clips[index] = clips[index].joined(Rational(1, 2)) }
        var sample = SampleDraft(clips, facts: facts)
        sample.settings.fileType = .mp4
        #expect(throws: Never.self) { try sample.plan() }
        sample.settings.videoBitrate = 1_000_000
        do {
            let plan = try sample.plan()
            Issue.record("planned as \(plan.jobCount) jobs")
        } catch let error as DraftError {
            #expect(error.diagnostics.map(\.code) == [.outOfRange])
            #expect(error.description.contains("\(DraftLimits.jobs)"))
        }
    }
}
