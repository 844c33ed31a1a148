import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

@Suite("Limits on the size of a film")
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

    @Test("A film of 12 hours is compiled, and one that is a second longer is refused")
    func length() throws {
        let limit = Rational(DraftLimits.seconds)
        #expect(try still(limit).plan().stitch.frameCount == DraftLimits.seconds)
        #expect(try refused(still(limit + .one), at: "mainTrackClips").contains("\(DraftLimits.seconds)"))
        var layers = SampleDraft([], facts: facts)
        layers.draft.videoSize = PixelSize(width: 16, height: 16)
        layers.draft.layers = [DraftLayer(timeRange: TimeRange(Rational(DraftLimits.seconds), limit + .one))]
        _ = try refused(layers, at: "layers")
    }

    @Test("Effects may lengthen a film to 12 hours, and the one that makes it a second longer is refused")
    func effectLength() throws {
        func frozen(_ seconds: Int) -> SampleDraft {
            var sample = still(Rational(DraftLimits.seconds - 10))
            var freeze = Effect(type: .freeze)
            freeze.duration = MediaTime(seconds: seconds)
            sample.draft.effects = [freeze]
            return sample
        }
        #expect(try frozen(10).plan().stitch.frameCount == DraftLimits.seconds)
        #expect(try refused(frozen(11), at: "effects[0]").contains("\(DraftLimits.seconds)"))
    }

    @Test("Effects may cut the sound into 10 000 time ranges, and the one that cuts it into one more is refused")
    func soundIntervals() throws {
        func repeated(_ count: Int) -> SampleDraft {
            var sample = still(.one)
            var repetition = Effect(type: .repetition)
            repetition.count = count
            sample.draft.effects = [repetition]
            return sample
        }
        #expect(repeated(DraftLimits.soundIntervals).faults() == [])
        let message = try refused(repeated(DraftLimits.soundIntervals + 1), at: "effects[0]")
        #expect(message.contains("\(DraftLimits.soundIntervals) intervals of sound; take fewer effects"), "\(message)")
    }

    @Test("Effects may cut the main track into 25 000 time ranges, and the one that adds another is refused")
    func trackIntervals() throws {
        let repetitions = 5
        let clips = Array(
            repeating: MainTrackClip.image("i", lasting: Rational(1, 100)), count: DraftLimits.trackIntervals / repetitions)
        var sample = SampleDraft(clips, facts: facts)
        var repetition = Effect(type: .repetition)
        repetition.count = repetitions
        sample.draft.effects = [repetition]
        #expect(sample.faults() == [])
        // A freeze at the beginning cuts nothing; it adds the time range that it holds.
        var freeze = Effect(type: .freeze)
        freeze.duration = MediaTime(seconds: 1)
        freeze.timeRangeAtMainTrack = TimeRange(.zero, Rational(1, 100))
        sample.draft.effects = [repetition, freeze]
        #expect(
            try refused(sample, at: "effects[1]")
                == "cuts the main track into more than \(DraftLimits.trackIntervals) intervals; take fewer effects")
    }

    @Test("A film of 60 000 s at 240 frames per second is refused once, for its length")
    func longFilm() throws {
        _ = try refused(still(Rational(60_000), rate: 240), at: "mainTrackClips")
    }

    @Test("The highest number of frames is planned, and one segment more is refused with the number")
    func frames() throws {
        let limit = Rational(Int64(DraftLimits.frames), 240)
        #expect(try still(limit, rate: 240).plan().stitch.frameCount == DraftLimits.frames)
        let message = try refused(still(limit + Rational(1, 240), rate: 240), at: "mainTrackClips")
        #expect(message.contains("\(DraftLimits.frames + 1)") && message.contains("\(DraftLimits.frames)"))
        // Frames outside the film's time range do not count.
        var cropped = still(limit + Rational(1, 240), rate: 240)
        cropped.draft.timeRange = TimeRange(.zero, Rational(10))
        #expect(try cropped.plan().stitch.frameCount == 2400)
    }

    @Test("Each repetition of a loop counts as a sound, and one too many is refused at its clip")
    func sounds() throws {
        let repetitions = DraftLimits.sounds
        var sample = still(Rational(repetitions) / Rational(10))
        sample.draft.audioClips = [
            .sound("m") {
                $0.timeRange = TimeRange(.zero, Rational(1, 10))
                $0.loop = true
            }
        ]
        #expect(sample.faults() == [])
        sample.draft.mainTrackClips = [.image("i", lasting: Rational(repetitions) / Rational(10) + Rational(1, 100))]
        let message = try refused(sample, at: "audioClips[0]")
        #expect(message.contains("\(repetitions)"))
        #expect(message.contains(" sounds, counting each repetition of a loop; a film has "), "\(message)")
        // The video of a layer that repeats a range of 10 microseconds.
        var source = LayerSource(type: .video, url: "a")
        source.timeRange = TimeRange(.zero, Rational(1, 100_000))
        source.loop = true
        var looped = still(Rational(3600))
        looped.draft.layers = [DraftLayer(timeRange: TimeRange(.zero, Rational(900_000)), source: source)]
        _ = try refused(looped, at: "layers[0].source")
    }

    @Test("Layers are counted by the intervals that show them, and the first one above the limit is named")
    func composedLayers() throws {
        let clips = Array(repeating: MainTrackClip.image("i", lasting: Rational(1)), count: 5_000)
        var sample = SampleDraft(clips, facts: facts)
        // Each layer counts 5000 times for the cuts and 1250 times for its length.
        let layer = DraftLayer(timeRange: TimeRange(.zero, Rational(5_000)), source: LayerSource(type: .image, url: "i"))
        sample.draft.layers = Array(repeating: layer, count: DraftLimits.composedLayers / 6_250)
        #expect(sample.faults() == [])
        sample.draft.layers?.append(layer)
        #expect(
            try refused(sample, at: "layers[\(DraftLimits.composedLayers / 6_250)]")
                == "exceeds the limit of composed layers: a layer counts once for each interval between two cuts that shows it, "
                + "and more with long texts and many keyframes, and a film takes \(DraftLimits.composedLayers); leave some out, "
                + "or cut the draft into several")
    }

    @Test("Effects whose product exceeds a limit are refused before they are applied")
    func effects() throws {
        var clips = SampleDraft(Array(repeating: .image("i", lasting: Rational(1, 100)), count: 9_000), facts: facts)
        var twice = Effect(type: .repetition)
        twice.count = 2
        clips.draft.effects = [twice]
        #expect(clips.faults() == [])
        clips.draft.effects = [twice, twice]
        _ = try refused(clips, at: "effects[1]")
        // Effects on the picture add to the work but not to the length of the film.
        var contrast = Effect(type: .filter)
        contrast.operation = Filter(type: "contrast", parameters: ["amount": 1.2])
        clips.draft.effects = Array(repeating: contrast, count: DraftLimits.effectIntervals / 9_000)
        #expect(clips.faults() == [])
        clips.draft.effects?.append(contrast)
        let message = try refused(clips, at: "effects[\(DraftLimits.effectIntervals / 9_000)]")
        #expect(
            message.hasSuffix(" clips and transitions; take fewer effects, or cut the draft into several"), "\(message)")
    }

    @Test("The intervals that effects apply to are counted exactly, and one above the limit is refused")
    func effectIntervals() throws {
        var picture = Effect(type: .filter)
        picture.operation = Filter(type: "contrast", parameters: ["amount": 1.2])
        var freeze = Effect(type: .freeze)
        freeze.duration = MediaTime(seconds: 1)
        freeze.timeRangeAtMainTrack = TimeRange(.zero, Rational(1, 100))
        // 51 effects on 9803 clips apply to 499 953 intervals. The freeze adds an interval, so each effect after it
        // counts one more.
        #expect(DraftLimits.effectIntervals == 51 * 9_803 + 47)
        func sample(before: Int) -> SampleDraft {
            var clips = SampleDraft(Array(repeating: .image("i", lasting: Rational(1, 100)), count: 9_803), facts: facts)
            clips.draft.effects =
                Array(repeating: picture, count: before) + [freeze] + Array(repeating: picture, count: 50 - before)
            return clips
        }
        #expect(sample(before: 3).faults() == [])
        _ = try refused(sample(before: 2), at: "effects[50]")
    }

    @Test("An export with the highest number of jobs is planned, and one segment more is refused with the number")
    func jobs() throws {
        // Each clip is a segment, which is measured and then encoded. The last clip lasts longer, and its pictures are cut
        // every few seconds. The sound, the poster and the sprite sheet are jobs, too.
        var clips = Array(repeating: MainTrackClip.image("i", lasting: Rational(1)), count: DraftLimits.clips - 1)
        for index in clips.indices.dropFirst() { clips[index] = clips[index].joined(Rational(1, 5)) }
        func sample(_ seconds: Int) -> SampleDraft {
            var sample = SampleDraft(clips + [.image("i", lasting: Rational(seconds))], facts: facts)
            sample.draft.frameRate = FrameRate(5)
            sample.settings.videoBitrate = 100_000
            sample.settings.posterTime = .zero
            sample.settings.spriteInterval = Rational(200)
            return sample
        }
        func count(_ sample: SampleDraft) throws -> (jobs: Int, isRefused: Bool) {
            do {
                return (try sample.plan().jobCount, false)
            } catch let error as DraftError {
                let fault = try #require(error.diagnostics.first)
                #expect(error.diagnostics.count == 1 && fault.code == .outOfRange, "\(error)")
                #expect(fault.message.contains("the limit is \(DraftLimits.jobs)"))
                return (try #require(fault.message.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }), true)
            }
        }
        let found = try count(sample(7_426))
        #expect(found.jobs == DraftLimits.jobs)
        #expect(!found.isRefused)
        // One segment longer. A check without a plan finds the same.
        let tooLong = sample(7_428)
        let refused = try count(tooLong)
        #expect(refused.jobs == DraftLimits.jobs + 2)
        #expect(refused.isRefused)
        let fault = #expect(throws: DraftError.self) { try tooLong.compiler.check(tooLong.draft) }?.diagnostics.first
        #expect(fault?.message == "the export would have \(refused.jobs) jobs; the limit is \(DraftLimits.jobs)")
        #expect(fault?.remedy == "make the film shorter, or of fewer clips")
    }

    @Test("The number of jobs that a check expects is at least that of the plan, and at most about twice that")
    func mostJobs() throws {
        var numbers = RandomNumbers(seed: 7)
        for run in 0..<60 {
            var sample = RandomDraft(clipCount: 10, using: &numbers).sample
            if run % 3 == 1 { sample.settings.videoBitrate = 400_000 }
            if run % 4 == 1 { sample.settings.spriteInterval = Rational(1, 10) }
            if run % 5 == 1 { sample.settings.posterTime = .zero }
            let (composition, plan) = try sample.compile()
            let most = sample.compiler.mostJobs(composition, sample.draft)
            #expect(plan.jobCount <= most && most <= 2 * plan.jobCount + 60, "\(plan.jobCount) jobs, expected \(most)")
        }
    }
}
