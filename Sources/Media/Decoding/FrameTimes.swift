import ExactTime
import ExportPlan

/// The start times of a stream's frames, and the frame rate that follows from them.
struct FrameTimes {
    /// The start of each frame in ticks, rising.
    var starts: [Int64]
    /// Seconds per tick.
    var timeBase: Rational
    /// The frame rates that the container declares, in frames per second, the likeliest first.
    var declaredRates: [Rational] = []

    /// The rate at which every frame starts within one tick (and within a quarter of a frame) of its regular time; nil
    /// if there is none.
    var constantRate: FrameRate? {
        // The declared rates rounded to standard rates come first, then all standard rates, then the declared rates
        // themselves.
        let candidates = meant + FrameTimes.standardRates + declared
        guard starts.count > 1 else { return (meant + declared).first.flatMap(FrameRate.init) }
        let duration = Rational(starts[starts.count - 1] - starts[0], 1) * timeBase
        guard duration > .zero else { return nil }
        let average = Rational(starts.count - 1) / duration
        return candidates.lazy.filter { (($0 - average) / average).magnitude < Rational(1, 100) }
            .compactMap(FrameRate.init).first { fits($0) }
    }

    private var declared: [Rational] { declaredRates.filter { $0 > .zero && $0 <= Rational(1000) } }

    /// The declared rates rounded to standard rates: 29.97 becomes 30000/1001.
    private var meant: [Rational] {
        declared.compactMap { rate in
            FrameTimes.standardRates.first { (($0 - rate) / rate).magnitude < Rational(1, 10_000) }
        }
    }

    /// The median distance between frames, in ticks; 0 if there is none.
    var medianGap: Int64 {
        let gaps = zip(starts, starts.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
        return gaps.isEmpty ? 0 : gaps[gaps.count / 2]
    }

    /// The rate of most frames. If some frames are missing and all others start within one tick of a regular time of
    /// one rate, that rate; a declared rate is tried first. Otherwise the standard rate within 3 % of one frame per
    /// median gap, otherwise exactly one frame per median gap.
    var typicalRate: FrameRate? {
        let gap = medianGap
        guard gap > 0, timeBase > .zero else { return nil }
        if let rate = rateWithGaps(gap) { return rate }
        let exact = Rational.one / (Rational(gap, 1) * timeBase)
        let near = FrameTimes.standardRates.min { (($0 - exact).magnitude) < (($1 - exact).magnitude) }
        if let near, ((near - exact) / exact).magnitude < Rational(3, 100) { return FrameRate(near) }
        return FrameRate(exact)
    }

    private func fits(_ rate: FrameRate) -> Bool {
        let ticksPerFrame = rate.frameDuration.seconds / timeBase
        guard ticksPerFrame >= .one else { return false }
        let tolerance = min(.one, ticksPerFrame * Rational(1, 4))
        for (index, start) in starts.enumerated() {
            let offset = Rational(start - starts[0], 1) - Rational(index) * ticksPerFrame
            if offset.magnitude > tolerance { return false }
        }
        return true
    }

    /// Finds a standard rate that fits a stream with missing frames. A median gap of 33 ms can mean 30 or 29.97 frames
    /// per second, so all times are compared. The closest of several rates that fit is returned.
    private func rateWithGaps(_ gap: Int64) -> FrameRate? {
        func distance(_ rate: Rational) -> Rational? {
            let ticksPerFrame = Rational.one / (rate * timeBase)
            // With fewer than 4 ticks per frame, any time would be close to a regular one.
            guard ticksPerFrame >= Rational(4), (ticksPerFrame - Rational(gap, 1)).magnitude <= .one else { return nil }
            var largest = Rational.zero
            var last = -1
            for start in starts {
                let offset = Rational(start - starts[0], 1)
                let place = (offset / ticksPerFrame).rounded
                largest = max(largest, (offset - Rational(place) * ticksPerFrame).magnitude)
                // No two frames have the same regular time.
                guard place > last, largest <= .one else { return nil }
                last = place
            }
            return largest
        }
        if let rate = meant.first(where: { distance($0) != nil }) { return FrameRate(rate) }
        let fitting = FrameTimes.standardRates.compactMap { rate in distance(rate).map { (rate, $0) } }
        return fitting.min { $0.1 < $1.1 }.flatMap { FrameRate($0.0) }
    }

    /// Frame rates that cameras and editors use.
    private static let standardRates: [Rational] =
        [5, 6, 8, 10, 12, 15, 16, 18, 20, 24, 25, 30, 48, 50, 60, 90, 100, 120, 144, 240].map { Rational($0) }
        + [Rational(25, 2)] + [24, 30, 60, 120, 240, 48].map { Rational($0 * 1000, 1001) }
}
