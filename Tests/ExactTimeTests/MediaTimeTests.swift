import ExactTime
import TestSupport
import Testing

@Suite("Times and ranges")
struct MediaTimeTests {
    @Test("Ticks of a time base, sample numbers and seconds give equal times")
    func construction() {
        #expect(MediaTime(ticks: 90_000, timeBase: Rational(1, 90_000)) == MediaTime(seconds: 1))
        #expect(MediaTime(ticks: -1001, timeBase: Rational(1, 30_000)) == MediaTime(Rational(-1001, 30_000)))
        #expect(MediaTime(index: 22_050, rate: 44_100) == MediaTime(Rational(1, 2)))
    }

    @Test("Rounding finds the nearest sample on both sides of zero, and halves go away from zero")
    func nearestSample() {
        #expect(MediaTime(Rational(1001, 30_000)).rounded(toRate: 44_100) == 1471)
        #expect(MediaTime(Rational(1, 88_200)).rounded(toRate: 44_100) == 1)
        #expect(MediaTime(Rational(-1, 88_200)).rounded(toRate: 44_100) == -1)
        #expect(MediaTime(Rational(1, 88_201)).rounded(toRate: 44_100) == 0)
        // After an hour of NTSC frames the sample number is still exact, where a product of doubles would be rounded.
        #expect(MediaTime(Rational(107_892 * 1001, 30_000)).rounded(toRate: 48_000) == 172_799_827)
    }

    @Test("A sample number survives conversion to a time and back", arguments: [8000, 44_100, 48_000, 96_000])
    func sampleRoundTrip(rate: Int) {
        for index in [0, 1, 44_099, 48_001, 1_000_000_007] {
            #expect(MediaTime(index: index, rate: rate).rounded(toRate: rate) == index)
        }
    }

    @Test("A range contains its start but not its end")
    func halfOpen() {
        let range = TimeRange(start: MediaTime(seconds: 1), duration: MediaTime(seconds: 2))
        #expect(range.contains(MediaTime(seconds: 1)))
        #expect(!range.contains(MediaTime(seconds: 3)))
        #expect(range.contains(MediaTime(Rational(2_999_999, 1_000_000))))
        #expect(!range.contains(MediaTime(Rational(999_999, 1_000_000))))
        #expect(range == TimeRange(from: MediaTime(seconds: 1), to: MediaTime(seconds: 3)))
    }

    @Test("An intersection contains exactly the times in both ranges")
    func intersection() {
        var numbers = RandomNumbers(seed: 7)
        for _ in 0..<500 {
            let first = numbers.range()
            let second = numbers.range()
            let both = first.intersection(second)
            for tick in 0..<40 {
                let time = MediaTime(Rational(Int64(tick), 3))
                #expect(both.contains(time) == (first.contains(time) && second.contains(time)))
            }
            #expect(both.isEmpty == (max(first.start, second.start) >= min(first.end, second.end)))
        }
    }

    @Test("A shifted range keeps its length")
    func shift() {
        let range = TimeRange(start: MediaTime(Rational(1, 3)), duration: MediaTime(Rational(1, 7)))
        let moved = range.shifted(by: MediaTime(Rational(-1, 2)))
        #expect(moved.start == MediaTime(Rational(-1, 6)))
        #expect(moved.end - moved.start == range.duration)
    }
}

extension RandomNumbers {
    /// A range in thirds of a second between 0 and 12 s, sometimes empty.
    fileprivate mutating func range() -> TimeRange {
        TimeRange(
            start: MediaTime(Rational(Int64.random(in: 0...24, using: &self), 3)),
            duration: MediaTime(Rational(Int64.random(in: 0...12, using: &self), 3)))
    }
}
