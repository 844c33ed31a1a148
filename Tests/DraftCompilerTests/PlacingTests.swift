import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

@Suite("Places of clips on the timeline")
struct PlacingTests {
    private let facts = [
        "a": SourceFacts.film("a"), "b": SourceFacts.film("b", seconds: Rational(20)), "i": SourceFacts.picture("i"),
    ]

    @Test("Clips play one after another, each for its range divided by its speed")
    func sequence() throws {
        let clips = [
            MainTrackClip.film("a", from: Rational(1), lasting: Rational(5)).with { $0.speed = .constant(Rational(3, 2)) },
            .image("i", lasting: Rational(1, 3)), .film("b"),
        ]
        let composition = try SampleDraft(clips, facts: facts).compose()
        #expect(
            composition.instructions.map(\.timeRange) == [
                TimeRange(.zero, Rational(10, 3)), TimeRange(Rational(10, 3), Rational(11, 3)),
                TimeRange(Rational(11, 3), Rational(71, 3)),
            ])
        #expect(composition.duration == MediaTime(Rational(71, 3)))
    }

    @Test("A transition overlaps two clips and is an instruction of its own")
    func transition() throws {
        let clips = [MainTrackClip.film("a", lasting: Rational(5)), .film("b", lasting: Rational(3)).joined(Rational(1))]
        let composition = try SampleDraft(clips, facts: facts).compose()
        #expect(
            composition.instructions.map(\.timeRange) == [
                TimeRange(.zero, Rational(4)), TimeRange(Rational(4), Rational(5)), TimeRange(Rational(5), Rational(7)),
            ])
        guard case .transition(let overlap)? = composition.instructions[1].layers.last?.content else {
            Issue.record("the second instruction is no transition")
            return
        }
        #expect(overlap.kind == .dissolve)
        #expect(overlap.timeRange == TimeRange(Rational(4), Rational(5)))
        #expect(sourceTime(overlap.from, at: Rational(4)) == MediaTime(seconds: 4))
        #expect(sourceTime(overlap.to, at: Rational(4)) == .zero)
    }

    @Test("A transition keeps its kind when it is lowered", arguments: TransitionKind.builtIn)
    func kinds(kind: TransitionKind) throws {
        let joined = MainTrackClip.film("b").joined(by: kind, Rational(1)).with {
            if kind == .lumaMap { $0.transition?.url = "map" }
        }
        let known = facts.merging(["map": .picture("map")]) { first, _ in first }
        let composition = try SampleDraft([.film("a"), joined], facts: known).compose()
        guard case .transition(let overlap)? = composition.instructions[1].layers.last?.content else {
            Issue.record("no transition")
            return
        }
        #expect(overlap.kind.rawValue == kind.rawValue)
        #expect((overlap.map != nil) == (kind == .lumaMap))
    }

    @Test("A luma map is stretched over the canvas and is a source of the transition")
    func lumaMap() throws {
        let joined = MainTrackClip.film("b").joined(by: .lumaMap, Rational(1)).with {
            $0.transition?.url = "map"
            $0.transition?.softness = 0.5
        }
        let known = facts.merging(["map": .picture("map")]) { first, _ in first }
        let composition = try SampleDraft([.film("a"), joined], facts: known).compose()
        let layer = try #require(composition.instructions[1].layers.last)
        guard case .transition(let overlap) = layer.content, let map = overlap.map else {
            Issue.record("no map")
            return
        }
        #expect(map.softness == 0.5)
        #expect(!map.inverted)
        #expect(map.picture.last?.placement?.destination == PixelRect(composition.canvas))
        #expect(layer.sources.isSuperset(of: map.picture.flatMap(\.sources)))
        #expect(map.picture.flatMap(\.sources).count == 1)
    }

    @Test("Two transitions may fill a clip completely")
    func filledByTransitions() throws {
        let clips = [
            MainTrackClip.film("a"), .film("b", lasting: Rational(2)).joined(Rational(1)), .film("a").joined(Rational(1)),
        ]
        let composition = try SampleDraft(clips, facts: facts).compose()
        #expect(
            composition.instructions.map(\.timeRange) == [
                TimeRange(.zero, Rational(9)), TimeRange(Rational(9), Rational(10)), TimeRange(Rational(10), Rational(11)),
                TimeRange(Rational(11), Rational(20)),
            ])
    }

    @Test("A duration on the main track decides the speed")
    func durationAtMainTrack() throws {
        let clip = MainTrackClip.film("b", from: Rational(4), lasting: Rational(8)).with {
            $0.durationAtMainTrack = MediaTime(seconds: 3)
        }
        let composition = try SampleDraft([clip], facts: facts).compose()
        #expect(composition.duration == MediaTime(seconds: 3))
        #expect(sourceTime(composition.instructions[0].layers, at: Rational(3, 2)) == MediaTime(seconds: 8))
        #expect(composition.audioInputs.first?.speed == Rational(8, 3))
    }

    @Test("A range is cut to its source, and without a range the whole source plays")
    func cutToSource() throws {
        let clips = [MainTrackClip.film("a", from: Rational(7), lasting: Rational(100)), .film("b")]
        let composition = try SampleDraft(clips, facts: facts).compose()
        #expect(composition.instructions.map(\.timeRange.duration) == [MediaTime(seconds: 3), MediaTime(seconds: 20)])
    }

    @Test("A reversed clip starts at the end of its range")
    func reversed() throws {
        let clip = MainTrackClip.film("b", from: Rational(4), lasting: Rational(6)).with {
            $0.reverse = true
            $0.speed = .constant(Rational(2))
        }
        let layers = try SampleDraft([clip], facts: facts).compose().instructions[0].layers
        #expect(sourceTime(layers, at: .zero) == MediaTime(seconds: 10))
        #expect(sourceTime(layers, at: Rational(3)) == MediaTime(seconds: 4))
    }

    @Test("The track lasts as long as its clips minus their transitions, and its instructions leave no gap")
    func sum() throws {
        var numbers = RandomNumbers(seed: 1)
        for _ in 0..<50 {
            let random = RandomDraft(clipCount: Int.random(in: 1...20, using: &numbers), using: &numbers)
            let composition = try random.sample.compose()
            #expect(composition.duration == MediaTime(Rational(Int64(random.ticks), Int64(RandomDraft.ticksPerSecond))))
            var time = MediaTime.zero
            for instruction in composition.instructions {
                #expect(instruction.timeRange.start == time)
                #expect(!instruction.timeRange.isEmpty)
                time = instruction.timeRange.end
            }
            #expect(time == composition.duration)
        }
    }

    private func sourceTime(_ layers: [Layer], at time: Rational) -> MediaTime? {
        guard case .video(_, let timing)? = layers.last?.content else { return nil }
        return timing.sourceTime(at: MediaTime(time))
    }
}
