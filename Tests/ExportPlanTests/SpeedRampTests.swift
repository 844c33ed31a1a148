import ExactTime
import ExportPlan
import Testing
import Glibc

@Suite("SpeedRamp")
struct SpeedRampTests {
    private func ramp(
        _ values: [(at: Rational, speed: Double)], easing: TimingFunction = .linear, from start: Rational = .zero,
        lasting duration: Rational
    ) -> SpeedRamp {
        SpeedRamp(
            speed: AnimatedValue(keys: values.map { .init(time: MediaTime($0.at), value: $0.speed, easing: easing) }),
            sourceRange: TimeRange(start: MediaTime(start), duration: MediaTime(duration)))
    }

    @Test("A linear ramp plays for a logarithm, and its inverse leads back", arguments: [0.1, 0.5, 4, 16])
    func straight(_ end: Double) {
        let ramp = ramp([(.zero, 1), (Rational(4), end)], from: Rational(7), lasting: Rational(4))
        let slope = (end - 1) / 4
        #expect(abs(ramp.duration.doubleValue - log(end) / slope) < 2e-9)
        for step in 0...100 {
            let source = Rational(Int64(step), 25)
            let wanted = log(1 + slope * source.doubleValue) / slope
            let played = ramp.time(ofSource: MediaTime(Rational(7) + source))
            #expect(abs(played.doubleValue - wanted) < 2e-9)
            #expect(abs(ramp.sourceTime(at: played).doubleValue - 7 - source.doubleValue) < 3e-8)
        }
    }

    @Test(
        "Ramps with steps, bounces and overshoots match a fine numerical sum",
        arguments: ["hold", "bounceOut", "backInOut", "elasticOut", "circIn"])
    func others(_ name: String) throws {
        let easing = try #require(TimingFunction(name))
        let ramp = ramp([(Rational(1), 0.5), (Rational(3), 3), (Rational(5), 0.2)], easing: easing, lasting: Rational(6))
        // The midpoint rule with 600 000 intervals.
        let step = 1e-5
        let sum = (0..<600_000).reduce(0.0) { sum, index in
            let speed = ramp.speed.value(atSeconds: (Double(index) + 0.5) * step)
            return sum + step / min(max(speed, 0.1), 16)
        }
        #expect(abs(ramp.duration.doubleValue - sum) < 1e-4)
        for tenth in 1..<60 {
            let played = ramp.time(ofSource: MediaTime(Rational(Int64(tenth), 10)))
            #expect(abs(ramp.sourceTime(at: played).doubleValue - Double(tenth) / 10) < 3e-8)
        }
    }

    @Test("Times outside the range are clamped, and playing times rise with source times")
    func ends() {
        let ramp = ramp([(.zero, 1), (Rational(2), 8)], from: Rational(3), lasting: Rational(2))
        #expect(ramp.sourceTime(at: MediaTime(seconds: -1)) == MediaTime(seconds: 3))
        #expect(ramp.sourceTime(at: MediaTime(seconds: 99)) == MediaTime(seconds: 5))
        #expect(ramp.time(ofSource: .zero) == .zero)
        let times = (0...500).map { ramp.sourceTime(at: ramp.duration * Rational(Int64($0), 500)) }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }
}
