import CoreMetrics
import Synchronization

/// The value of one metric with one set of labels. It is written by many tasks at once and read by scrapes.
final class MetricSeries: Sendable {
    /// What was recorded so far.
    struct Value: Sendable {
        /// The sum of a counter or of a histogram's values, or the value of a gauge.
        var sum = 0.0
        /// How many values a histogram has.
        var count = 0
        /// How many values are in each bucket alone; the last one is without a limit.
        var buckets: [Int]
    }

    private let limits: [Double]
    private let kind: MetricDescription.Kind
    private let state: Mutex<Value>

    init(_ metric: MetricDescription) {
        kind = metric.kind
        limits = metric.buckets
        state = Mutex(Value(buckets: Array(repeating: 0, count: metric.kind == .histogram ? metric.buckets.count + 1 : 0)))
    }

    var value: Value { state.withLock { $0 } }

    /// Adds to a counter or a gauge. A counter never falls.
    func add(_ amount: Double) {
        guard amount.isFinite, amount >= 0 || kind == .gauge else { return }
        state.withLock { $0.sum += amount }
    }

    /// Adds a value to a histogram.
    func observe(_ value: Double) {
        guard kind == .histogram, value.isFinite else { return }
        let place = limits.firstIndex { value <= $0 } ?? limits.count
        state.withLock { state in
            state.sum += value
            state.count += 1
            state.buckets[place] += 1
        }
    }

    private func replace(by value: Double) {
        guard kind == .gauge else { return }
        state.withLock { $0.sum = value }
    }
}

/// What swift-metrics calls. A call that does not fit the metric's type changes nothing.
extension MetricSeries: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    func increment(by amount: Int64) { add(Double(amount)) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
    func set(_ value: Int64) { replace(by: Double(value)) }
    func set(_ value: Double) { replace(by: value) }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { if kind == .gauge { replace(by: value) } else { observe(value) } }
    func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1e9) }
    /// A counter of Prometheus is only reset by the end of its process.
    func reset() {}
}
