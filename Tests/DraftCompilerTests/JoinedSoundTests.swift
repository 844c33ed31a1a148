import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

@Suite("Sounds that continue across cuts")
struct JoinedSoundTests {
    private let facts = ["a": SourceFacts.film("a", seconds: Rational(60)), "b": SourceFacts.film("b", seconds: Rational(60))]

    private func clip(
        _ url: String, _ start: Rational, _ end: Rational, _ change: (inout MainTrackClip) -> Void = { _ in }
    ) -> MainTrackClip {
        MainTrackClip.film(url, from: start, lasting: end - start).with {
            $0.speed = .constant(Rational(3, 2))
            change(&$0)
        }
    }

    private func inputs(_ clips: [MainTrackClip]) throws -> [AudioSliceInput] {
        try SampleDraft(clips, facts: facts).plan().audioSegments.flatMap(\.slice.inputs)
    }

    @Test("A clip cut in three is time-stretched as one, and each part is a window of the whole")
    func windows() throws {
        let whole = try #require(try inputs([clip("a", Rational(1), Rational(10))]).first)
        let parts = try inputs([
            clip("a", Rational(1), Rational(3)), clip("a", Rational(3), Rational(7)) { $0.volume = 0.5 },
            clip("a", Rational(7), Rational(10)),
        ])
        #expect(parts.count == 3)
        var first = 0
        for part in parts {
            #expect(part.firstSample == first)
            #expect(part.sourceSample == whole.sourceSample)
            #expect(part.timeStretch?.sourceSampleCount == whole.timeStretch?.sourceSampleCount)
            #expect(part.timeStretch?.window == .init(firstSample: first, stretchedSampleCount: whole.sampleCount))
            first += part.sampleCount
        }
        #expect(first == whole.sampleCount)
        #expect(parts.map(\.gains) == [[], [.constant(0.5)], []])
        #expect(whole.timeStretch?.window == nil)
    }

    @Test("Parts of a reversed clip are time-stretched as one from the source's end")
    func backwards() throws {
        let whole = try #require(try inputs([clip("a", Rational(1), Rational(10)) { $0.reverse = true }]).first)
        let parts = try inputs([
            clip("a", Rational(4), Rational(10)) { $0.reverse = true }, clip("a", Rational(1), Rational(4)) { $0.reverse = true },
        ])
        #expect(parts.map(\.sourceSample) == [whole.sourceSample, whole.sourceSample])
        #expect(parts.map { $0.timeStretch?.window?.stretchedSampleCount } == [whole.sampleCount, whole.sampleCount])
    }

    @Test("Sounds that do not continue each other are time-stretched separately")
    func alone() throws {
        let first = clip("a", Rational(1), Rational(4))
        let others = [
            clip("b", Rational(4), Rational(7)), clip("a", Rational(5), Rational(7)),
            clip("a", Rational(4), Rational(7)) { $0.speed = .constant(Rational(2)) },
            clip("a", Rational(4), Rational(7)) { $0.pitch = 1 },
            clip("a", Rational(4), Rational(7)) { $0.timePitchAlgorithm = .varispeed },
            clip("a", Rational(4), Rational(7)) { $0.reverse = true },
        ]
        for other in others { #expect(try inputs([first, other]).allSatisfy { $0.timeStretch?.window == nil }, "\(other)") }
        let gap = try inputs([
            first, .film("b", lasting: Rational(1)).with { $0.muted = true }, clip("a", Rational(4), Rational(7)),
        ])
        #expect(gap.allSatisfy { $0.timeStretch?.window == nil })
    }

    @Test("No segment begins inside sounds that are time-stretched as one")
    func cuts() throws {
        let clips = (0..<30).map { clip("a", Rational($0), Rational($0 + 1)) } + [.film("b", lasting: Rational(3))]
        let plan = try SampleDraft(clips, facts: facts).plan()
        #expect(plan.audioSegments.map(\.firstSample) == [0, 20 * 44_100])
        #expect(plan.audioSegments.first?.slice.inputs.count == 30)
    }

    @Test("Declick fades a sound where it is cut and does not continue, and nowhere else")
    func declick() throws {
        var sample = SampleDraft(
            [
                .film("a", lasting: Rational(2)), .film("a", from: Rational(2), lasting: Rational(2)),
                .film("b", lasting: Rational(2)), .film("a", lasting: Rational(2)).joined(Rational(1), audio: .cut),
            ], facts: facts)
        let plain = try sample.compose().audioInputs
        #expect(plain.prefix(3).allSatisfy { $0.gains.count <= 1 })
        sample.draft.audio = DraftAudio(declick: MediaTime(Rational(1, 100)))
        let faded = try sample.compose().audioInputs
        func points(_ index: Int) -> [[GainCurve.Point]] { faded[index].gains.map(\.points) }
        func at(_ time: Rational, _ gain: Double) -> GainCurve.Point { .init(time: MediaTime(time), gain: gain) }
        // The first sound begins with the film, and the second continues it.
        #expect(points(0) == [])
        #expect(points(1) == [[at(Rational(399, 100), 1), at(Rational(4), 0)]])
        // The sound is cut in the middle of the overlap, which lasts from 5 to 6 s. It ends with the overlap, where it
        // is silent.
        #expect(
            points(2) == [
                [at(Rational(549, 100), 1), at(Rational(55, 10), 0)],
                [at(Rational(4), 0), at(Rational(401, 100), 1), at(Rational(599, 100), 1), at(Rational(6), 0)],
            ])
        #expect(points(3).first == [at(Rational(55, 10), 0), at(Rational(551, 100), 1)])
    }

    @Test("Declick fades at freezes and repetitions, and a short sound reaches full gain in its middle")
    func declickedEffects() throws {
        var sample = SampleDraft([.film("a", lasting: Rational(4))], facts: facts)
        var freeze = Effect(type: .freeze)
        freeze.timeRangeAtMainTrack = TimeRange(Rational(1), Rational(2))
        freeze.duration = MediaTime(seconds: 1)
        var again = Effect(type: .repetition)
        again.timeRangeAtMainTrack = TimeRange(Rational(3), Rational(301, 100))
        again.count = 2
        sample.draft.effects = [freeze, again]
        #expect(try sample.compose().audioInputs.allSatisfy { $0.gains == [] })
        sample.draft.audio = DraftAudio(declick: MediaTime(Rational(1, 10)))
        let inputs = try sample.compose().audioInputs
        // The inputs: before the freeze, up to the end of the first repetition, and from the start of the second.
        #expect(
            inputs.map(\.timeRange) == [
                TimeRange(.zero, .one), TimeRange(Rational(2), Rational(301, 100)),
                TimeRange(Rational(301, 100), Rational(501, 100)),
            ])
        #expect(inputs.map { $0.gains.flatMap(\.points).map(\.gain) } == [[1, 0], [0, 1, 1, 0], [0, 1]])
        #expect(sample.faults() == [])
    }
}
