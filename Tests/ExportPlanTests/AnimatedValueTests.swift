import ExactTime
import ExportPlan
import TestSupport
import Testing

@Suite("AnimatedValue")
struct AnimatedValueTests {
    private let ramp = AnimatedValue(keys: [
        .init(time: MediaTime(seconds: 1), value: 10), .init(time: MediaTime(seconds: 3), value: 30, easing: .hold),
        .init(time: MediaTime(seconds: 4), value: -5),
    ])

    @Test("Before the first and after the last keyframe the end value holds")
    func ends() {
        #expect(ramp.value(at: MediaTime(seconds: -100)) == 10)
        #expect(ramp.value(at: MediaTime(seconds: 100)) == -5)
    }

    @Test("At a keyframe's own time the value is exactly that keyframe's")
    func atKeys() {
        for key in ramp.keys { #expect(ramp.value(at: key.time) == key.value) }
        let thirds = AnimatedValue(keys: (0...9).map { .init(time: MediaTime(Rational(Int64($0), 3)), value: 0.1 * Double($0)) })
        for key in thirds.keys { #expect(thirds.value(at: key.time) == key.value) }
    }

    @Test("A linear keyframe leads straight to the next one, a held one keeps its value")
    func easings() {
        #expect(ramp.value(at: MediaTime(seconds: 2)) == 20)
        #expect(ramp.value(at: MediaTime(Rational(3, 2))) == 15)
        #expect(ramp.value(at: MediaTime(Rational(3_999_999, 1_000_000))) == 30)
    }

    @Test("A shifted value has the same values, shifted in time")
    func shift() {
        var numbers = RandomNumbers(seed: 1)
        for _ in 0..<200 {
            let value = numbers.animatedValue()
            let offset = numbers.time()
            let moved = value.shifted(by: offset)
            for _ in 0..<10 {
                let time = numbers.time()
                #expect(moved.value(at: time + offset) == value.value(at: time))
            }
        }
    }

    @Test("A restricted value has the same values in the range and no unneeded keyframes")
    func restricted() {
        var numbers = RandomNumbers(seed: 2)
        for _ in 0..<500 {
            let value = numbers.animatedValue()
            let start = numbers.time()
            let range = TimeRange(start: start, duration: MediaTime(Rational(Int64.random(in: 1...12, using: &numbers), 6)))
            let part = value.restricted(to: range)
            for step in 0..<24 {
                let time = start + range.duration * Rational(Int64(step), 24)
                #expect(part.value(at: time) == value.value(at: time))
            }
            #expect(part.keys.count { $0.time < range.start } <= 1 && part.keys.count { $0.time > range.end } <= 1)
        }
        #expect(ramp.restricted(to: TimeRange(start: MediaTime(seconds: 5), duration: MediaTime(seconds: 1))) == .constant(-5))
        #expect(ramp.restricted(to: TimeRange(start: MediaTime(seconds: 3), duration: MediaTime(seconds: 1))) == .constant(30))
    }

    @Test("A constant value is the same wherever it is shifted")
    func constant() {
        let constant = AnimatedValue.constant(0.5)
        #expect(constant.shifted(by: MediaTime(seconds: 7)) == constant)
        let sameTwice = AnimatedValue(keys: [.init(time: .zero, value: 0.5), .init(time: MediaTime(seconds: 1), value: 0.5)])
        #expect(sameTwice.constantValue == 0.5)
        #expect(sameTwice.shifted(by: MediaTime(seconds: 7)) == constant)
        #expect(ramp.constantValue == nil)
    }
}

extension RandomNumbers {
    /// A multiple of 1/6 s between -5 s and 5 s.
    mutating func time() -> MediaTime { MediaTime(Rational(Int64.random(in: -30...30, using: &self), 6)) }

    fileprivate mutating func animatedValue() -> AnimatedValue {
        let times = Set((0..<Int.random(in: 1...5, using: &self)).map { _ in time() }).sorted()
        return AnimatedValue(
            keys: times.map {
                .init(
                    time: $0, value: Double.random(in: -1...1, using: &self),
                    easing: Bool.random(using: &self) ? .hold : .linear)
            })
    }
}
