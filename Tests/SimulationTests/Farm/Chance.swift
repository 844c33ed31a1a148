import TestSupport

/// Random numbers by name: the number that belongs to a thing depends on the seed and on that thing, and not on what
/// was asked before. So a history from which events are dropped keeps the rest of its random numbers.
struct Chance: Sendable {
    let seed: UInt64

    /// What a number is for.
    enum Use: UInt64 {
        case scenario, duration, jitter, report, take, order, memory, start
    }

    func numbers(_ use: Use, _ parts: Int64...) -> RandomNumbers {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ use.rawValue
        for part in parts {
            var mixer = RandomNumbers(seed: state ^ UInt64(bitPattern: part))
            state = mixer.next()
        }
        return RandomNumbers(seed: state)
    }

    /// A number of 0..<1.
    func unit(_ use: Use, _ first: Int64, _ second: Int64 = 0) -> Double {
        var numbers = numbers(use, first, second)
        return Double.random(in: 0..<1, using: &numbers)
    }

    func number(_ use: Use, in range: ClosedRange<Int>, _ first: Int64, _ second: Int64 = 0) -> Int {
        var numbers = numbers(use, first, second)
        return Int.random(in: range, using: &numbers)
    }
}
