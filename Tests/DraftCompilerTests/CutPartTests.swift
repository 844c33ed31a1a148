import DraftModel
import ExactTime
import ExportPlan
import Testing

@Suite("Transitions in the segments of their clips")
struct CutPartTests {
    private static let facts = ["a": SourceFacts.film("a", seconds: Rational(60)), "i": .picture("i")]

    private func segments(_ clips: [MainTrackClip], layers: [DraftLayer] = []) throws -> [VideoSegment] {
        var sample = SampleDraft(clips, facts: Self.facts)
        sample.draft.frameRate = FrameRate(30)
        sample.draft.layers = layers.isEmpty ? nil : layers
        return try sample.plan().videoSegments
    }

    private func clip(_ start: Int, _ seconds: Int) -> MainTrackClip {
        .film("a", from: Rational(start), lasting: Rational(seconds))
    }

    @Test("A transition of up to 2 s belongs to the segment of the clip before it, and a longer one is alone")
    func placing() throws {
        func lengths(_ transition: Rational) throws -> [Int] {
            try segments([clip(0, 5), clip(10, 5).joined(transition)]).map(\.slice.frameCount)
        }
        #expect(try lengths(Rational(1, 2)) == [150, 135])
        #expect(try lengths(Rational(2)) == [150, 90])
        #expect(try lengths(Rational(21, 10)) == [87, 63, 87])
    }

    @Test("Cuts of a long clip lie before its transition")
    func cuts() throws {
        // The clip is cut at keyframes, which are 2 s apart. The last 2 s of it are the transition.
        let found = try segments([clip(0, 13), clip(20, 5).joined(Rational(2))])
        #expect(found.map(\.firstFrame).allSatisfy { $0 < 11 * 30 || $0 == 13 * 30 })
        #expect(found.map(\.slice.frameCount).reduce(0, +) == 16 * 30)
    }

    @Test("A transition between two frames is not carried along")
    func betweenFrames() throws {
        let found = try segments([clip(0, 5), clip(10, 5).joined(Rational(1, 100))])
        #expect(found.map(\.slice.frameCount).reduce(0, +) == 300)
        let first = try #require(found.first?.slice)
        #expect(first.sources == [SourceFacts.film("a").contentHash])
        #expect(first.instruction.layers.allSatisfy { if case .transition = $0.content { false } else { true } })
    }

    @Test("A clip that is nothing but transitions joins none of them")
    func onlyTransitions() throws {
        let found = try segments([clip(0, 5), clip(10, 2).joined(Rational(1)), clip(20, 5).joined(Rational(1))])
        #expect(found.map(\.slice.frameCount) == [150, 30, 120])
        let second = try #require(found.dropFirst().first?.slice.instruction.layers)
        #expect(second.count == 1 && second[0].timeRange == nil)
    }

    @Test("A layer above both is one layer, and each of the others is seen during its own part")
    func layers() throws {
        var sticker = DraftLayer(timeRange: TimeRange(.zero, Rational(20)), source: LayerSource(type: .image, url: "i"))
        sticker.layerLevel = 1
        let slice = try #require(try segments([clip(0, 5), clip(10, 5).joined(Rational(1))], layers: [sticker]).first?.slice)
        let layers = slice.instruction.layers
        #expect(layers.last?.timeRange == nil)
        let own: [TimeRange] = layers.dropLast().compactMap { $0.timeRange }
        #expect(own.count == layers.count - 1)
        #expect(Set(own) == [TimeRange(.zero, Rational(4)), TimeRange(Rational(4), Rational(5))])
        let still = layers.filter { if case .still = $0.content { true } else { false } }
        #expect(still.count == 1)
    }

    @Test("A change behind a transition does not change the segments before it, nor those behind the next one")
    func reuse() throws {
        let clips = [
            clip(0, 5), clip(10, 5).joined(Rational(1)), clip(20, 5).joined(Rational(1)), clip(30, 5).joined(Rational(1)),
        ]
        let before = try segments(clips).map(\.key)
        var shorter = clips
        shorter[1] = clip(10, 4).joined(Rational(1))
        let after = try segments(shorter).map(\.key)
        #expect(before.count == 4 && after.count == 4)
        #expect(zip(before, after).map { $0 == $1 } == [true, false, true, true])
    }
}
