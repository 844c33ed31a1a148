import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing

@Suite("Segment cuts")
struct SegmentLengthTests {
    @Test("A transition is one segment, however long it is")
    func transition() throws {
        let clips = [MainTrackClip.film("a"), .film("a").joined(Rational(20))]
        let plan = try plan(clips, facts: .film("a", seconds: Rational(60)))
        let alone = plan.videoSegments.filter { segment in
            if case .transition? = segment.slice.instruction.layers.last?.content { true } else { false }
        }
        #expect(alone.map(\.firstFrame) == [40 * 30])
        #expect(alone.map(\.slice.frameCount) == [20 * 30])
    }

    @Test("A clip of up to 6 s is one segment, and no segment of a longer one is shorter than 2 s")
    func short() throws {
        func counts(_ seconds: Int) throws -> [Int] {
            let facts = SourceFacts.film("a", seconds: Rational(60))
            return try plan([.film("a", from: Rational(3), lasting: Rational(seconds))], facts: facts).videoSegments
                .map(\.slice.frameCount)
        }
        #expect(try counts(6) == [180])
        #expect(try counts(7) == [150, 60])
        #expect(try counts(10) == [150, 150])
    }

    @Test("Inner segments of a long clip last 4 to 10 s and begin at keyframes where there are any")
    func keyframes() throws {
        for interval in [Rational(1, 2), Rational(2), Rational(3), Rational(5), Rational(10)] {
            let facts = SourceFacts.film("a", seconds: Rational(120), keyframeInterval: interval)
            let plan = try plan([.film("a")], facts: facts)
            let cuts = plan.videoSegments.dropFirst().map { MediaTime(index: $0.firstFrame, rate: 30) }
            #expect(cuts.count >= 10)
            // A keyframe between two output frames is first shown by the second.
            let rounded = Set((facts.video?.keyframes ?? []).map { FrameRate(30).firstFrame(atOrAfter: $0) })
            #expect(cuts.allSatisfy { rounded.contains($0.rounded(toRate: 30)) }, "every \(interval) s")
            expectLengths(plan)
        }
    }

    @Test("A long clip with few keyframes is cut where decoding from the keyframe before is a small part of the work")
    func rareKeyframes() throws {
        var numbers = RandomNumbers(seed: 24)
        for _ in 0..<60 {
            let interval = Rational(Int64.random(in: 40...4000, using: &numbers), 10)
            let facts = SourceFacts.film("a", seconds: Rational(400), keyframeInterval: interval)
            let sample = SampleDraft([.film("a")], facts: ["a": facts])
            let (composition, plan) = try sample.compile()
            let segments = plan.videoSegments
            let costs = PictureCosts(composition, try #require(segments.first).slice.encode, facts: [facts.name: facts])
            let video = try #require(facts.video)
            for segment in segments.dropLast() {
                let range = TimeRange(
                    start: composition.frameRate.time(ofFrame: segment.firstFrame),
                    duration: composition.frameRate.time(ofFrame: segment.slice.frameCount))
                let runUp = range.start - (video.keyframes.last { $0 <= range.start } ?? .zero)
                let work = (costs.decoding(video) + costs.encoding) * range.duration.doubleValue
                #expect(runUp.doubleValue * costs.decoding(video) <= 0.126 * work, "every \(interval) s, at \(range.start)")
            }
            // A hundred seconds between keyframes are still divided.
            #expect(segments.count >= 8, "every \(interval) s")
            // The opening of a long film is shorter.
            #expect(segments.dropFirst().map(\.slice.frameCount).allSatisfy { $0 >= 2 * 30 })
        }
    }

    @Test("A short film with many keyframes is cut more finely, so that two slots share it")
    func fine() throws {
        func counts(_ seconds: Int, every interval: Rational?) throws -> [Int] {
            let facts = SourceFacts.film("a", seconds: Rational(200), keyframeInterval: Rational(1))
            var sample = SampleDraft([.film("a", lasting: Rational(seconds))], facts: ["a": facts])
            sample.settings.maxKeyframeInterval = interval
            return try sample.plan().videoSegments.map(\.slice.frameCount)
        }
        #expect(try counts(8, every: Rational(2)) == [120, 120])
        #expect(try counts(8, every: Rational(5, 2)) == [120, 120])
        #expect(try counts(8, every: Rational(1)) == [120, 120])
        #expect(try counts(8, every: nil) == [150, 90])
        #expect(try counts(8, every: Rational(4)) == [150, 90])
        #expect(try counts(30, every: Rational(2)) == Array(repeating: 180, count: 5))
        #expect(try counts(180, every: Rational(2)) == Array(repeating: 180, count: 30))
        #expect(try counts(180, every: nil) == Array(repeating: 150, count: 36))
    }

    @Test("Only the costly clip of a film is cut more finely")
    func costly() throws {
        let large = SourceFacts.film(
            "a", seconds: Rational(60), size: FrameSize(width: 7680, height: 4320), keyframeInterval: Rational(1))
        let facts = ["a": large, "b": SourceFacts.film("b", seconds: Rational(60), keyframeInterval: Rational(1))]
        var sample = SampleDraft([.film("b", lasting: Rational(12)), .film("a", lasting: Rational(8))], facts: facts)
        sample.settings.maxKeyframeInterval = Rational(2)
        #expect(try sample.plan().videoSegments.map(\.slice.frameCount) == [180, 180, 120, 120])
    }

    @Test("Segments keep their length in film time at any speed, in reverse and for stills")
    func anySpeed() throws {
        var numbers = RandomNumbers(seed: 6)
        for _ in 0..<60 {
            let speed = [Rational(1, 2), .one, Rational(3, 2), Rational(4)].randomElement(using: &numbers) ?? .one
            let start = Rational(Int64.random(in: 0...1000, using: &numbers), 100)
            let length = Rational(Int64.random(in: 1100...20_000, using: &numbers), 100)
            let facts = SourceFacts.film(
                "a", seconds: Rational(1000), keyframeInterval: Rational(Int64.random(in: 1...9, using: &numbers), 3))
            let clip = MainTrackClip.film("a", from: start, lasting: length * speed).with {
                $0.speed = .constant(speed)
                $0.reverse = Bool.random(using: &numbers)
            }
            expectLengths(try plan([clip], facts: facts))
            expectLengths(try plan([.image("a", lasting: length)], facts: .picture("a")))
        }
    }

    @Test("Sound is cut where clips start, and every 10 s in long clips")
    func sound() throws {
        let clips = [
            MainTrackClip.film("a", lasting: Rational(25)), .film("a", lasting: Rational(3)), .film("a", lasting: Rational(50)),
        ]
        let plan = try plan(clips, facts: .film("a", seconds: Rational(60)))
        let seconds = plan.audioSegments.map { $0.firstSample / 44_100 }
        #expect(plan.audioSegments.allSatisfy { $0.firstSample % 44_100 == 0 })
        #expect(Set(seconds).isSuperset(of: [0, 25, 28]))
        for segment in plan.audioSegments where segment.slice.sampleCount > 20 * 44_100 {
            Issue.record("a segment of \(segment.slice.sampleCount) samples")
        }
    }

    @Test("Short clips share segments of sound of 4 to 11 s, and an inserted clip leaves most of them as they were")
    func soundOfShortClips() throws {
        var numbers = RandomNumbers(seed: 29)
        let clips = (0..<200).map { _ in
            MainTrackClip.film("a", from: Rational(Int.random(in: 0...590, using: &numbers)), lasting: Rational(1))
        }
        let facts = SourceFacts.film("a", seconds: Rational(600))
        let before = try plan(clips, facts: facts).audioSegments
        #expect(before.dropLast().map { $0.slice.sampleCount / 44_100 }.allSatisfy { 4...11 ~= $0 })
        #expect(before.count < 45)
        for place in [0, 100, 200] {
            var more = clips
            more.insert(.film("a", from: Rational(300), lasting: Rational(1)), at: place)
            let after = Set(try plan(more, facts: facts).audioSegments.map(\.key))
            #expect(after.subtracting(before.map(\.key)).count <= 12, "\(place)")
        }
    }

    /// Checks for 4 to 10 s. A clip's first and last segment may last 2 to 12 s, because a shorter neighbour is merged
    /// with it.
    private func expectLengths(_ plan: RenderPlan) {
        let counts = plan.videoSegments.map(\.slice.frameCount)
        #expect(counts.count > 1)
        #expect(counts.dropFirst().dropLast().allSatisfy { 4 * 30 - 1 <= $0 && $0 <= 10 * 30 + 1 }, "\(counts)")
        #expect([counts.first, counts.last].allSatisfy { 2 * 30 <= ($0 ?? 0) && ($0 ?? 0) <= 12 * 30 + 1 }, "\(counts)")
    }

    private func plan(_ clips: [MainTrackClip], facts: SourceFacts) throws -> RenderPlan {
        try SampleDraft(clips, facts: ["a": facts]).plan()
    }
}
