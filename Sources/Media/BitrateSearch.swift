#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What to ask an encoder for, so that it takes a number of bits: encoders take more or less than is asked for, but the more the more.
///
/// In logarithms: first as much more as was missing, then on the line between the closest answers on both sides.
public struct BitrateSearch {
    private let target: Double
    private let limits: ClosedRange<Double>
    /// The closest answers below and above the target.
    private var below: (asked: Double, taken: Double)?
    private var above: (asked: Double, taken: Double)?
    /// What to ask for next, in the unit of the target.
    public private(set) var next: Double
    /// How far the closest answer is from the target, as a part of it.
    public private(set) var error = Double.infinity
    /// Whether another answer would be no better.
    public private(set) var isOver = false

    /// - Parameters:
    ///   - target: above 0.
    ///   - limits: what the encoder can be asked for.
    public init(target: Double, within limits: ClosedRange<Double>) {
        self.target = target
        self.limits = limits
        next = min(max(target, limits.lowerBound), limits.upperBound)
    }

    /// Notes what the encoder has taken when it was asked for `next`.
    /// - Returns: whether that is closer than everything before.
    public mutating func took(_ taken: Double) -> Bool {
        let answer = (asked: log(next), taken: log(max(taken, 1)))
        // Black pictures take no more, and noise no less, whatever is asked for.
        if let last = taken < target ? below : above {
            isOver = abs(last.taken - answer.taken) < 0.002 && abs(last.asked - answer.asked) > 0.3
        }
        if taken < target { below = answer } else { above = answer }
        let asked = next
        if let below, let above, above.taken - below.taken > 1e-9 {
            let part = (log(target) - below.taken) / (above.taken - below.taken)
            // An answer near one end may hide a step: at least a tenth of the way is gone.
            next = exp(below.asked + (above.asked - below.asked) * min(max(part, 0.1), 0.9))
        } else {
            next *= min(max(target / taken, 0.25), 4)
        }
        next = min(max(next, limits.lowerBound), limits.upperBound)
        if next == asked { isOver = true }
        let distance = abs(taken / target - 1)
        guard distance < error else { return false }
        error = distance
        return true
    }
}
