import Glibc

/// Searches for the bitrate to request from an encoder so that it produces a given number of bits. Encoders produce
/// more or less than is requested, but more for a higher request.
///
/// Requests and results are compared by their logarithms. The first corrections scale the request by target / result;
/// once there is a result on each side of the target, the next request is interpolated between them.
package struct BitrateSearch {
    private let target: Double
    private let limits: ClosedRange<Double>
    /// The greatest result that is taken; nil where it may be too large as well as too small.
    private let ceiling: Double?
    /// The closest results below and above the target, as natural logarithms.
    private var below: (asked: Double, taken: Double)?
    private var above: (asked: Double, taken: Double)?
    /// The next bitrate to request, in the unit of the target.
    package private(set) var next: Double
    /// The distance of the closest result from the target, as a fraction of the target; above 1 as long as all results
    /// exceed the ceiling.
    package private(set) var error = Double.infinity
    /// Whether another run would bring no closer result.
    package private(set) var isOver = false

    /// - Parameters:
    ///   - target: above 0.
    ///   - limits: the bitrates that the encoder accepts.
    ///   - ceiling: what a result may not exceed, at least the target.
    package init(target: Double, within limits: ClosedRange<Double>, ceiling: Double? = nil) {
        self.ceiling = ceiling
        self.target = target
        self.limits = limits
        next = min(max(target, limits.lowerBound), limits.upperBound)
    }

    /// Records how much the encoder produced for the request `next`, and chooses the next request.
    /// - Returns: whether this result is closer to the target than all before.
    package mutating func took(_ taken: Double) -> Bool {
        let answer = (asked: log(next), taken: log(max(taken, 1)))
        // The size of black pictures does not rise with the request, and that of noise does not fall: stop there.
        if let last = taken < target ? below : above {
            isOver = abs(last.taken - answer.taken) < 0.002 && abs(last.asked - answer.asked) > 0.3
        }
        if taken < target { below = answer } else { above = answer }
        let asked = next
        if let below, let above, above.taken - below.taken > 1e-9 {
            let part = (log(target) - below.taken) / (above.taken - below.taken)
            // The curve may have a step close to one end, so each request moves at least a tenth of the interval.
            next = exp(below.asked + (above.asked - below.asked) * min(max(part, 0.1), 0.9))
        } else {
            next *= min(max(target / taken, 0.25), 4)
        }
        next = min(max(next, limits.lowerBound), limits.upperBound)
        if next == asked { isOver = true }
        let distance = abs(taken / target - 1) + (ceiling.map { taken > $0 } == true ? 1 : 0)
        guard distance < error else { return false }
        error = distance
        return true
    }
}
