import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing

/// The effect of time effects on instructions and audio inputs.
@Suite("Time effects on the main track")
struct TimeEffectLoweringTests {
    private static let facts = ["a": SourceFacts.film("a"), "b": SourceFacts.film("b")]

    private func sample(_ effects: [Effect], _ change: (inout MainTrackClip) -> Void = { _ in }) -> SampleDraft {
        var sample = SampleDraft(
            [
                MainTrackClip.film("a", from: Rational(1), lasting: Rational(4)).with(change),
                MainTrackClip.film("b", from: Rational(2), lasting: Rational(4)).joined(Rational(1)),
            ], facts: TimeEffectLoweringTests.facts)
        sample.draft.effects = effects
        return sample
    }

    private func effect(_ type: Effect.Kind, _ start: Rational, _ end: Rational, _ change: (inout Effect) -> Void) -> Effect {
        var effect = Effect(type: type)
        effect.timeRangeAtMainTrack = TimeRange(start, end)
        change(&effect)
        return effect
    }

    @Test(
        "With random effects every frame shows what the track shows at the corresponding time",
        arguments: 0..<60)
    func picture(_ seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed) + 500)
        let effects = (0..<Int.random(in: 1...4, using: &random)).map { _ -> Effect in
            let start = Rational(Int64.random(in: 0...40, using: &random), 10)
            let end = start + Rational(Int64.random(in: 1...30, using: &random), 10)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                return effect(.speed, start, end) {
                    $0.speed = [Rational(1, 2), Rational(2), Rational(5, 3)].randomElement(using: &random)
                }
            case 1: return effect(.repetition, start, end) { $0.count = Int.random(in: 1...3, using: &random) }
            default: return effect(.freeze, start, end) { $0.duration = MediaTime(Rational(7, 10)) }
            }
        }
        let changed = sample(effects)
        let plain = try sample([]).compose()
        let composition = try changed.compose()
        let map = try changed.compiler.timeEffects(of: changed.draft)
        #expect(composition.duration == map.duration)
        #expect(composition.frameCount == composition.frameRate.firstFrame(atOrAfter: map.duration))
        for frame in 0..<composition.frameCount {
            let time = composition.frameRate.time(ofFrame: frame)
            let found = sourceTimes(composition, at: time)
            let wanted = sourceTimes(plain, at: map.remove(from: time))
            #expect(found == wanted, "frame \(frame)")
        }
    }

    /// The source times that are seen, by content hash.
    private func sourceTimes(_ composition: Composition, at time: MediaTime) -> [String: MediaTime] {
        let layers = composition.instructions.first { $0.timeRange.contains(time) }?.layers ?? []
        return layers.flatMap(\.playedSources).reduce(into: [:]) { $0[$1.source] = $1.timing.sourceTime(at: time) }
    }

    @Test("A sound across a change of speed is one input with sections, and a repetition starts another")
    func sounds() throws {
        let fast = try sample([effect(.speed, Rational(2), Rational(3)) { $0.speed = Rational(2) }]).compose().audioInputs
        #expect(fast.count == 2)
        #expect(
            fast[0].speedRanges == [
                .init(duration: MediaTime(seconds: 2), sourceDuration: MediaTime(seconds: 2)),
                .init(duration: MediaTime(Rational(1, 2)), sourceDuration: MediaTime(seconds: 1)),
                .init(duration: MediaTime(seconds: 1), sourceDuration: MediaTime(seconds: 1)),
            ])
        #expect(fast[0].timeRange == TimeRange(.zero, Rational(7, 2)))
        let again = try sample([effect(.repetition, Rational(1), Rational(2)) { $0.count = 2 }]).compose().audioInputs
        #expect(
            again.filter { $0.source == SourceFacts.film("a").contentHash }.map(\.timeRange) == [
                TimeRange(.zero, Rational(2)), TimeRange(Rational(2), Rational(5)),
            ])
        #expect(
            again.filter { $0.source == SourceFacts.film("a").contentHash }.map(\.sourceRange.start) == [
                MediaTime(seconds: 1), MediaTime(seconds: 2),
            ])
    }

    @Test("A freeze is silent, or the sound that follows is heard and then heard again")
    func heldSound() throws {
        let silent = try sample([effect(.freeze, Rational(2), Rational(3)) { $0.duration = MediaTime(seconds: 1) }]).compose()
        let first = silent.audioInputs.filter { $0.source == SourceFacts.film("a").contentHash }
        #expect(first.map(\.timeRange) == [TimeRange(.zero, Rational(2)), TimeRange(Rational(3), Rational(5))])
        let going = try sample([
            effect(.freeze, Rational(2), Rational(3)) {
                $0.duration = MediaTime(seconds: 1)
                $0.audio = .continue
            }
        ]).compose().audioInputs.filter { $0.source == SourceFacts.film("a").contentHash }
        #expect(going.map(\.timeRange) == [TimeRange(.zero, Rational(3)), TimeRange(Rational(3), Rational(5))])
        #expect(going.map(\.sourceRange.start) == [MediaTime(seconds: 1), MediaTime(seconds: 3)])
    }

    @Test("A fade has the same gain at each instant as at the corresponding time of the track")
    func gains() throws {
        let speed = effect(.speed, Rational(7, 2), Rational(9, 2)) { $0.speed = Rational(2) }
        let plain = try #require(try sample([]).compose().audioInputs.first?.gains.first)
        let changed = sample([speed])
        let gain = try #require(try changed.compose().audioInputs.first?.gains.first)
        let map = try changed.compiler.timeEffects(of: changed.draft)
        for step in 0...60 {
            let time = MediaTime(Rational(Int64(step), 20))
            #expect(abs(gain.line(at: time) - plain.line(at: map.remove(from: time))) < 1e-12)
        }
    }

    @Test("An effect after the end of the track, or one that makes it too long, is an error")
    func faults() throws {
        let late = sample([effect(.speed, Rational(20), Rational(21)) { $0.speed = Rational(2) }])
        #expect(late.faults() == [Fault("effects[0].timeRangeAtMainTrack", .emptyRange)])
        let afterTheEnd = sample([effect(.filter, Rational(20), Rational(21)) { $0.operation = Filter(type: "grayscale") }])
        #expect(afterTheEnd.faults() == [])
        #expect(try afterTheEnd.compose() == sample([]).compose())
        let often = [Rational(11, 10), Rational(11)].map { end in effect(.repetition, Rational(1), end) { $0.count = 100 } }
        #expect(sample(often).faults() == [Fault("effects[1]", .outOfRange)])
        let apart = (Int64(0)..<4).map { index in
            effect(.repetition, Rational(2 * index, 2), Rational(2 * index + 1, 2)) { $0.count = 20 }
        }
        #expect(sample(apart).faults().isEmpty)
        let long = effect(.freeze, Rational(1), Rational(2)) { $0.duration = MediaTime(seconds: 90_000) }
        #expect(sample([long]).faults() == [Fault("effects[0]", .outOfRange)])
        let both = sample([]) {
            $0.speed = .curve(KeyedCurve(keyTimes: [.zero, MediaTime(seconds: 1)], values: [1, 2]))
            $0.durationAtMainTrack = MediaTime(seconds: 3)
        }
        #expect(both.faults() == [Fault("mainTrackClips[0].durationAtMainTrack", .conflict)])
    }
}
