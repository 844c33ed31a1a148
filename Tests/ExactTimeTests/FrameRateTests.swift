import ExactTime
import TestSupport
import Testing

@Suite("Frame rates and frame times")
struct FrameRateTests {
    /// The eight usual frame rates of films, as numerators and denominators.
    static let rates: [(Int64, Int64)] = [
        (24000, 1001), (24, 1), (25, 1), (30000, 1001), (30, 1), (50, 1), (60000, 1001), (60, 1),
    ]

    @Test("A frame rate must be above zero")
    func aboveZero() {
        #expect(FrameRate(.zero) == nil)
        #expect(FrameRate(Rational(-25)) == nil)
        #expect(FrameRate(Rational(1, 1000))?.framesPerSecond == Rational(1, 1000))
    }

    @Test("Frame n is at n / rate, and it is the first frame at or after that time", arguments: rates)
    func timeOfFrame(top: Int64, bottom: Int64) throws {
        let rate = try #require(FrameRate(Rational(top, bottom)))
        #expect(rate.frameDuration == MediaTime(Rational(bottom, top)))
        for index in [-1001, -1, 0, 1, 2, 29, 1000, 107_892, 10_000_000] {
            #expect(rate.time(ofFrame: index) == MediaTime(Rational(Int64(index) * bottom, top)))
            #expect(rate.firstFrame(atOrAfter: rate.time(ofFrame: index)) == index)
            let justAfter = rate.time(ofFrame: index) + MediaTime(Rational(1, 1_000_000_000))
            #expect(rate.firstFrame(atOrAfter: justAfter) == index + 1)
        }
    }

    @Test("Consecutive ranges cover every frame exactly once", arguments: rates)
    func partition(top: Int64, bottom: Int64) throws {
        let rate = try #require(FrameRate(Rational(top, bottom)))
        var numbers = RandomNumbers(seed: UInt64(top + bottom))
        var wrong: [TimeRange] = []
        for _ in 0..<50 {
            var start = MediaTime.zero
            var next = 0
            for _ in 0..<40 {
                let range = TimeRange(start: start, duration: numbers.duration(near: rate))
                let frames = rate.frames(in: range)
                if frames.lowerBound != next { wrong.append(range) }
                next = frames.upperBound
                start = range.end
            }
            #expect(next == rate.firstFrame(atOrAfter: start))
        }
        #expect(wrong.isEmpty, "\(wrong.count) gaps or overlaps, first before \(wrong.prefix(3))")
    }

    @Test("A range holds exactly the frames whose times are inside it", arguments: rates)
    func membership(top: Int64, bottom: Int64) throws {
        let rate = try #require(FrameRate(Rational(top, bottom)))
        var numbers = RandomNumbers(seed: UInt64(top))
        for _ in 0..<50 {
            let range = TimeRange(start: numbers.duration(near: rate), duration: numbers.duration(near: rate))
            let found = (-5...1000).filter { isInside(Int128($0), range, top, bottom) }
            #expect(Array(rate.frames(in: range)) == found)
        }
    }

    @Test("A range between two frames holds no frame")
    func betweenFrames() {
        let rate = FrameRate(25)
        let between = TimeRange(start: MediaTime(Rational(1, 100)), duration: MediaTime(Rational(1, 100)))
        #expect(rate.frames(in: between).isEmpty)
        #expect(rate.frames(in: TimeRange(start: MediaTime(seconds: 1), duration: .zero)).isEmpty)
    }

    /// Checks `start <= n / rate < end` without division.
    private func isInside(_ index: Int128, _ range: TimeRange, _ top: Int64, _ bottom: Int64) -> Bool {
        let start = range.start.seconds
        let end = range.end.seconds
        let atOrAfterStart =
            index * Int128(bottom) * Int128(start.denominator) >= Int128(start.numerator) * Int128(top)
        let beforeEnd = index * Int128(bottom) * Int128(end.denominator) < Int128(end.numerator) * Int128(top)
        return atOrAfterStart && beforeEnd
    }
}

extension RandomNumbers {
    /// A duration of 0 to 10 s: on the frame grid, on a sample grid, or on neither.
    fileprivate mutating func duration(near rate: FrameRate) -> MediaTime {
        switch Int.random(in: 0..<3, using: &self) {
        case 0: rate.time(ofFrame: Int.random(in: 0...100, using: &self))
        case 1: MediaTime(index: Int.random(in: 0...480_000, using: &self), rate: 48000)
        default: MediaTime(Rational(Int64.random(in: 0...7919, using: &self), Int64.random(in: 797...7907, using: &self)))
        }
    }
}
