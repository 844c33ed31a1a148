import ExactTime
import ExportPlan
import TestSupport
import Testing

@Suite("SourceTiming")
struct SourceTimingTests {
    @Test("A source at double speed advances two seconds per second of film")
    func line() {
        let timing = SourceTiming(timelineStart: MediaTime(seconds: 10), sourceStart: MediaTime(seconds: 3), rate: Rational(2))
        #expect(timing.sourceTime(at: MediaTime(seconds: 10)) == MediaTime(seconds: 3))
        #expect(timing.sourceTime(at: MediaTime(Rational(21, 2))) == MediaTime(seconds: 4))
        #expect(!timing.isReversed)
    }

    @Test("In reverse, source time falls while film time rises")
    func reversed() {
        let timing = SourceTiming(timelineStart: .zero, sourceStart: MediaTime(seconds: 8), rate: Rational(-1, 2))
        #expect(timing.isReversed)
        #expect(timing.sourceTime(at: MediaTime(seconds: 4)) == MediaTime(seconds: 6))
    }

    @Test("A loop repeats its range forwards and backwards, also after it is retimed")
    func loop() {
        let played = TimeRange(start: MediaTime(seconds: 2), duration: MediaTime(seconds: 3))
        let forwards = SourceTiming(
            timelineStart: MediaTime(seconds: 10), sourceStart: MediaTime(seconds: 2), rate: .one, loop: played)
        let seconds = (10..<20).map { forwards.sourceTime(at: MediaTime(seconds: $0)) }
        #expect(seconds == [2, 3, 4, 2, 3, 4, 2, 3, 4, 2].map { MediaTime(seconds: $0) })
        let backwards = SourceTiming(timelineStart: .zero, sourceStart: MediaTime(seconds: 5), rate: -.one, loop: played)
        #expect(
            (0..<5).map { backwards.sourceTime(at: MediaTime(seconds: $0)) } == [5, 4, 3, 5, 4].map { MediaTime(seconds: $0) })
        for timing in [forwards, backwards] {
            let moved = timing.rebased(by: MediaTime(seconds: -14))
            #expect(
                (14..<20).allSatisfy { second in
                    moved.sourceTime(at: MediaTime(seconds: second - 14)) == timing.sourceTime(at: MediaTime(seconds: second))
                })
        }
    }

    @Test("Mapping to source time and back gives the original time")
    func inverse() {
        var numbers = RandomNumbers(seed: 2)
        for _ in 0..<200 {
            let timing = numbers.timing()
            let time = numbers.time()
            #expect(timing.timelineTime(ofSource: timing.sourceTime(at: time)) == time)
        }
    }

    @Test("A rebased timing shows the same source times, shifted in time")
    func rebased() {
        var numbers = RandomNumbers(seed: 3)
        for _ in 0..<200 {
            let timing = numbers.timing()
            let offset = numbers.time()
            let moved = timing.rebased(by: offset)
            #expect(moved.timelineStart == .zero)
            for _ in 0..<10 {
                let time = numbers.time()
                #expect(moved.sourceTime(at: time + offset) == timing.sourceTime(at: time))
            }
        }
    }

    @Test("Two forms of the same timing are equal after they are rebased")
    func canonical() {
        var numbers = RandomNumbers(seed: 4)
        for _ in 0..<200 {
            let timing = numbers.timing()
            let elsewhere = numbers.time()
            let other = SourceTiming(
                timelineStart: elsewhere, sourceStart: timing.sourceTime(at: elsewhere), rate: timing.rate)
            let offset = numbers.time()
            #expect(other.rebased(by: offset) == timing.rebased(by: offset))
            #expect(timing.rebased(by: offset).rebased(by: -offset) == timing.rebased(by: .zero))
        }
    }
}

extension RandomNumbers {
    /// A speed of 0.1 to 16, forwards or backwards.
    mutating func timing() -> SourceTiming {
        let speed = Rational(Int64.random(in: 1...160, using: &self), 10)
        return SourceTiming(timelineStart: time(), sourceStart: time(), rate: Bool.random(using: &self) ? speed : -speed)
    }
}
