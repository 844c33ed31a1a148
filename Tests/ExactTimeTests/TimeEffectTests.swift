import ExactTime
import TestSupport
import Testing

@Suite("Time effects")
struct TimeEffectTests {
    @Test("Each time effect maps times as the specification describes")
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
        let cut = TimeEffect.cut(range: range)
        #expect([1, 2, 4, 6, 9].map { cut.apply(to: MediaTime(seconds: $0)) } == [1, 2, 2, 2, 5].map { MediaTime(seconds: $0) })
        #expect([1, 2, 3].map { cut.remove(from: MediaTime(seconds: $0)) } == [1, 6, 7].map { MediaTime(seconds: $0) })
        func times(_ start: Int, _ end: Int) -> TimeRange {
            TimeRange(from: MediaTime(seconds: start), to: MediaTime(seconds: end))
        }
        #expect(cut.remove(from: times(1, 2)) == times(1, 2))
        #expect(cut.remove(from: times(1, 3)) == times(1, 7))
        #expect(cut.remove(from: times(2, 3)) == times(6, 7))
        #expect(cut.apply(to: times(1, 7)) == times(1, 3))
    }

    @Test("Removing effects undoes applying them, for any time and any effects", arguments: 0..<200)
    func inverse(_ seed: Int) {
        var numbers = RandomNumbers(seed: UInt64(seed))
        let effects = numbers.effects()
        for _ in 0..<50 {
            let time = numbers.time(below: effects.originalDuration)
            #expect(effects.remove(from: effects.apply(to: time)) == time)
        }
        #expect(effects.apply(to: effects.originalDuration) <= effects.duration)
    }

    @Test("Applying effects undoes removing them, where nothing is repeated or held", arguments: 0..<200)
    func otherInverse(_ seed: Int) {
        var numbers = RandomNumbers(seed: UInt64(seed) + 1000)
        let effects = numbers.effects()
        for _ in 0..<50 {
            let time = numbers.time(below: effects.duration)
            guard !isSeenTwice(time, effects) else { continue }
            #expect(effects.apply(to: effects.remove(from: time)) == time)
        }
    }

    @Test("A range with effects removed contains all of its times and is no larger than necessary", arguments: 0..<100)
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
        // A held instant at the end of the range is the end of the removed range.
        #expect(shown.allSatisfy { removed.contains($0) || $0 == removed.end })
        // 200 steps come as close to the ends of the range as the highest speed, 16, allows.
        let step = range.duration * Rational(16, 200)
        #expect((shown.min() ?? .zero) - removed.start <= step)
        #expect(removed.end - (shown.max() ?? .zero) <= step)
    }

    @Test("A range that ends with a repeated range is mapped to its first showing")
    func firstPlace() {
        let range = TimeRange(start: MediaTime(seconds: 2), duration: MediaTime(seconds: 4))
        let again = TimeEffects([.repetition(range: range, count: 3)], originalDuration: MediaTime(seconds: 10))
        #expect(again.apply(to: range) == range)
        #expect(again.duration == MediaTime(seconds: 18))
        let longer = TimeRange(start: MediaTime(seconds: 2), duration: MediaTime(seconds: 5))
        #expect(again.apply(to: longer) == TimeRange(start: MediaTime(seconds: 2), duration: MediaTime(seconds: 13)))
    }

    /// Whether the content at a time is also shown at another time.
    private func isSeenTwice(_ time: MediaTime, _ effects: TimeEffects) -> Bool {
        var time = time
        for effect in effects.effects.reversed() {
            switch effect {
            case .speed, .cut: break
            case .repetition(let range, _):
                if time >= range.start, time < range.end + effect.addedDuration { return true }
            case .freeze(let instant, let duration):
                if time >= instant, time <= instant + duration { return true }
            }
            time = effect.remove(from: time)
        }
        return false
    }
}

extension RandomNumbers {
    /// A time in hundredths of a second.
    fileprivate mutating func time(below limit: MediaTime) -> MediaTime {
        MediaTime(Rational(Int64.random(in: 0..<max(1, Int64((limit.seconds * Rational(100)).floor)), using: &self), 100))
    }

    /// Up to four effects on a timeline of 10 s.
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
