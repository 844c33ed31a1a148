import ExactTime
import TestSupport
import Testing

@Suite("What time effects do to times")
struct TimeEffectTests {
    @Test("Effects are the specification's sentences, written out")
    func sentences() {
        let range = TimeRange(start: MediaTime(seconds: 2), duration: MediaTime(seconds: 4))
        let fast = TimeEffect.speed(range: range, speed: Rational(2))
        #expect(
            [1, 2, 4, 6, 9].map { fast.apply(to: MediaTime(seconds: $0)) } == [1, 2, 3, 4, 7].map { MediaTime(seconds: $0) })
        let again = TimeEffect.repetition(range: range, count: 3)
        #expect(
            [1, 2, 5, 6, 7].map { again.apply(to: MediaTime(seconds: $0)) } == [1, 2, 5, 14, 15].map { MediaTime(seconds: $0) })
        #expect(
            [1, 5, 6, 9, 10, 13, 14, 15].map { again.remove(from: MediaTime(seconds: $0)) }
                == [1, 5, 2, 5, 2, 5, 6, 7].map { MediaTime(seconds: $0) })
        let held = TimeEffect.freeze(at: MediaTime(seconds: 2), duration: MediaTime(seconds: 3))
        #expect([1, 2, 3].map { held.apply(to: MediaTime(seconds: $0)) } == [1, 2, 6].map { MediaTime(seconds: $0) })
        #expect(
            [1, 2, 4, 5, 6].map { held.remove(from: MediaTime(seconds: $0)) } == [1, 2, 2, 2, 3].map { MediaTime(seconds: $0) })
    }

    @Test("Back is exactly the way there, at any time through any stack", arguments: 0..<200)
    func inverse(_ seed: Int) {
        var numbers = RandomNumbers(seed: UInt64(seed))
        let effects = numbers.effects()
        for _ in 0..<50 {
            let time = numbers.time(below: effects.originalDuration)
            #expect(effects.remove(from: effects.apply(to: time)) == time)
        }
        #expect(effects.apply(to: effects.originalDuration) <= effects.duration)
    }

    @Test("There is exactly the way back, wherever nothing is repeated or held", arguments: 0..<200)
    func otherInverse(_ seed: Int) {
        var numbers = RandomNumbers(seed: UInt64(seed) + 1000)
        let effects = numbers.effects()
        for _ in 0..<50 {
            let time = numbers.time(below: effects.duration)
            guard !isSeenTwice(time, effects) else { continue }
            #expect(effects.apply(to: effects.remove(from: time)) == time)
        }
    }

    @Test("Every instant of a range that was mapped back lies in it, and both its ends are needed", arguments: 0..<100)
    func ranges(_ seed: Int) {
        var numbers = RandomNumbers(seed: UInt64(seed) + 2000)
        let whole = numbers.effects()
        guard let effect = whole.effects.first else { return }
        let effects = TimeEffects([effect], originalDuration: whole.originalDuration)
        let (one, other) = (numbers.time(below: effects.duration), numbers.time(below: effects.duration))
        let range = TimeRange(from: min(one, other), to: max(one, other))
        guard !range.isEmpty else { return }
        let removed = effects.remove(from: range)
        let steps = (0..<200).map { range.start + range.duration * Rational(Int64($0), 200) }
        let shown = steps.map { effects.remove(from: $0) }
        // What is held at a range's end is where the range ends.
        #expect(shown.allSatisfy { removed.contains($0) || $0 == removed.end })
        // Two hundred steps of the range come as near to its ends as their speed allows.
        let step = range.duration * Rational(16, 200)
        #expect((shown.min() ?? .zero) - removed.start <= step)
        #expect(removed.end - (shown.max() ?? .zero) <= step)
    }

    @Test("A range that ends where a repeated one does is there before it is repeated")
    func firstPlace() {
        let range = TimeRange(start: MediaTime(seconds: 2), duration: MediaTime(seconds: 4))
        let again = TimeEffects([.repetition(range: range, count: 3)], originalDuration: MediaTime(seconds: 10))
        #expect(again.apply(to: range) == range)
        #expect(again.duration == MediaTime(seconds: 18))
        let longer = TimeRange(start: MediaTime(seconds: 2), duration: MediaTime(seconds: 5))
        #expect(again.apply(to: longer) == TimeRange(start: MediaTime(seconds: 2), duration: MediaTime(seconds: 13)))
    }

    /// Whether what is shown at a time is shown at another one, too.
    private func isSeenTwice(_ time: MediaTime, _ effects: TimeEffects) -> Bool {
        var time = time
        for effect in effects.effects.reversed() {
            switch effect {
            case .speed: break
            case .repetition(let range, _):
                if time >= range.start, time < range.end + effect.lengthening { return true }
            case .freeze(let instant, let duration):
                if time >= instant, time <= instant + duration { return true }
            }
            time = effect.remove(from: time)
        }
        return false
    }
}

extension RandomNumbers {
    /// Hundredths of a second.
    fileprivate mutating func time(below limit: MediaTime) -> MediaTime {
        MediaTime(Rational(Int64.random(in: 0..<max(1, Int64((limit.seconds * Rational(100)).floor)), using: &self), 100))
    }

    /// Up to four effects on ten seconds.
    fileprivate mutating func effects() -> TimeEffects {
        var effects: [TimeEffect] = []
        var stack = TimeEffects([], originalDuration: MediaTime(seconds: 10))
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            let (one, other) = (time(below: stack.duration), time(below: stack.duration))
            let range = TimeRange(from: min(one, other), to: max(one, other) + MediaTime(Rational(1, 100)))
            switch Int.random(in: 0..<3, using: &self) {
            case 0:
                let speeds = [Rational(1, 2), Rational(3, 4), Rational(2), Rational(5, 3), Rational(16)]
                effects.append(.speed(range: range, speed: speeds[Int.random(in: 0..<5, using: &self)]))
            case 1: effects.append(.repetition(range: range, count: Int.random(in: 1...3, using: &self)))
            default: effects.append(.freeze(at: range.start, duration: range.duration))
            }
            stack = TimeEffects(effects, originalDuration: stack.originalDuration)
        }
        return stack
    }
}
