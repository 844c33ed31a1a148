import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials

@Suite("GainCurve")
struct GainCurveTests {
    @Test("A trimmed and shifted curve has the same gain at every instant of the range")
    func sameGain() {
        var numbers = RandomNumbers(seed: 5)
        var wrong: [String] = []
        for _ in 0..<500 {
            let curve = numbers.curve()
            let range = TimeRange(
                start: numbers.time(), duration: MediaTime(Rational(Int64.random(in: 1...40, using: &numbers), 6)))
            let offset = numbers.time()
            let trimmed = curve.trimmed(to: range, shiftedBy: offset)
            // Steps of 1/12 s hit every possible point, which are at multiples of 1/6 s, and the middle between points.
            for step in 0..<Int64(((range.duration.seconds) * Rational(12)).ceil) {
                let time = range.start + MediaTime(Rational(step, 12))
                let expected = gain(of: curve, at: time)
                let found = gain(of: trimmed, at: time + offset)
                if abs(expected - found) > 1e-12 { wrong.append("\(curve.points) in \(range) at \(time)") }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) wrong, first \(wrong.first ?? "")")
    }

    @Test("Points outside the range leave no trace")
    func outside() {
        let fade = [point(4, 0), point(6, 1)]
        let plain = GainCurve(points: fade)
        let busy = GainCurve(points: [point(0, 0.3), point(1, 0.9), point(2, 0)] + fade + [point(9, 1), point(10, 0.2)])
        let range = TimeRange(start: MediaTime(seconds: 4), duration: MediaTime(seconds: 2))
        let offset = MediaTime(seconds: -4)
        #expect(busy.trimmed(to: range, shiftedBy: offset) == plain.trimmed(to: range, shiftedBy: offset))
        #expect(plain.trimmed(to: range, shiftedBy: offset).points == [point(0, 0), point(2, 1)])
    }

    @Test("A curve without changes inside the range is the same constant for all such ranges")
    func constant() {
        let curve = GainCurve(points: [point(0, 0), point(1, 0.7), point(20, 0.7), point(21, 0)])
        for start in [2, 5, 9] {
            let range = TimeRange(start: MediaTime(seconds: start), duration: MediaTime(seconds: 3))
            #expect(curve.trimmed(to: range, shiftedBy: MediaTime(seconds: -start)) == .constant(0.7))
        }
    }

    @Test("A step at the start of the range has happened, and one at its end has not")
    func steps() {
        let curve = GainCurve(points: [point(2, 1), point(2, 0), point(5, 0), point(5, 0.5)])
        let range = TimeRange(start: MediaTime(seconds: 2), duration: MediaTime(seconds: 3))
        #expect(curve.trimmed(to: range, shiftedBy: .zero) == .constant(0))
        let before = TimeRange(start: .zero, duration: MediaTime(seconds: 2))
        #expect(curve.trimmed(to: before, shiftedBy: .zero) == .constant(1))
        let after = TimeRange(start: MediaTime(seconds: 5), duration: MediaTime(seconds: 2))
        #expect(curve.trimmed(to: after, shiftedBy: .zero) == .constant(0.5))
    }

    @Test("A curve that changes inside the range keeps its shape")
    func shape() {
        let curve = GainCurve(shape: .qsin, points: [point(0, 0), point(2, 1)])
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 1))
        #expect(curve.trimmed(to: range, shiftedBy: .zero) == curve)
    }

    @Test("A trimmed animated volume keeps exactly the part of its curve in the range")
    func eased() {
        let curve = GainCurve(
            AnimatedValue(keys: [
                .init(time: .zero, value: 0, easing: .easeIn), .init(time: MediaTime(seconds: 2), value: 1, easing: .hold),
                .init(time: MediaTime(seconds: 6), value: 0.5, easing: .linear), .init(time: MediaTime(seconds: 8), value: 0),
            ]))
        func trimmed(_ from: Int, _ to: Int) -> GainCurve {
            let range = TimeRange(start: MediaTime(seconds: from), duration: MediaTime(seconds: to - from))
            return curve.trimmed(to: range, shiftedBy: MediaTime(seconds: -from))
        }
        let rising = [GainCurve.Point(time: MediaTime(seconds: -1), gain: 0, easing: .easeIn), point(1, 1)]
        #expect(trimmed(1, 2).points == rising)
        #expect(trimmed(3, 5) == .constant(1), "what holds is a constant")
        #expect(trimmed(2, 6) == .constant(1))
        let falling = [GainCurve.Point(time: .zero, gain: 0.5, easing: .linear), point(2, 0)]
        #expect(trimmed(6, 8).points == falling)
        #expect(trimmed(8, 9) == .constant(0))
        #expect(trimmed(1, 7).points.count == 4)
    }

    @Test("Curves without easings keep their JSON format")
    func written() throws {
        let curve = GainCurve(points: [point(0, 0), point(1, 1)])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(curve), as: UTF8.self)
        #expect(text == #"{"points":[{"gain":0,"time":0},{"gain":1,"time":1}],"shape":"tri"}"#)
    }

    @Test("A sound needs time-stretching if it keeps its pitch at another speed, or changes it")
    func needsStretching() {
        func input(speed: Rational, keepsPitch: Bool, pitch: Double) -> AudioInput {
            AudioInput(
                source: "a", timeRange: TimeRange(start: .zero, duration: MediaTime(seconds: 1)),
                sourceRange: TimeRange(start: .zero, duration: MediaTime(speed)), reversed: false, speed: speed,
                keepsPitch: keepsPitch, pitch: pitch, gains: [])
        }
        #expect(input(speed: Rational(2), keepsPitch: true, pitch: 0).needsStretching)
        #expect(input(speed: .one, keepsPitch: true, pitch: -3).needsStretching)
        #expect(!input(speed: .one, keepsPitch: true, pitch: 0).needsStretching)
        #expect(!input(speed: Rational(2), keepsPitch: false, pitch: 0).needsStretching)
    }

    private func point(_ seconds: Int, _ gain: Double) -> GainCurve.Point {
        .init(time: MediaTime(seconds: seconds), gain: gain)
    }

    /// A slow reference implementation, in which a step happens at its own time.
    private func gain(of curve: GainCurve, at time: MediaTime) -> Double { curve.shape.gain(at: line(of: curve, at: time)) }

    private func line(of curve: GainCurve, at time: MediaTime) -> Double {
        var before: GainCurve.Point?
        for point in curve.points {
            if point.time > time {
                guard let from = before else { return point.gain }
                let part = (time - from.time).doubleValue / (point.time - from.time).doubleValue
                return from.gain + (point.gain - from.gain) * part
            }
            before = point
        }
        return before?.gain ?? .nan
    }
}

extension RandomNumbers {
    /// Up to six points at multiples of 1/6 s, including steps.
    fileprivate mutating func curve() -> GainCurve {
        var points: [GainCurve.Point] = []
        for time in (0..<Int.random(in: 1...6, using: &self)).map({ _ in time() }).sorted() {
            // Two points at the same time are a step; three are not allowed.
            guard points.count(where: { $0.time == time }) < 2 else { continue }
            // There are few levels, so that some ranges have no change.
            points.append(.init(time: time, gain: Double(Int.random(in: 0...2, using: &self)) / 2))
        }
        return GainCurve(shape: Bool.random(using: &self) ? .tri : .qsin, points: points)
    }
}
