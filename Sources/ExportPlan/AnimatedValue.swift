public import ExactTime

/// A number that may change over time: keyframes joined by easings. Before the first and after the last key the end
/// value holds; a single key is a constant.
public struct AnimatedValue: Hashable, Sendable, Codable {
    public struct Key: Hashable, Sendable, Codable {
        public var time: MediaTime
        public var value: Double
        /// Towards the next key.
        public var easing: TimingFunction

        public init(time: MediaTime, value: Double, easing: TimingFunction = .linear) {
            self.time = time
            self.value = value
            self.easing = easing
        }
    }

    /// At least one, with rising times.
    public var keys: [Key]

    public init(keys: [Key]) {
        precondition(!keys.isEmpty, "an animated value has at least one key")
        self.keys = keys
    }

    public static func constant(_ value: Double) -> AnimatedValue {
        AnimatedValue(keys: [Key(time: .zero, value: value)])
    }

    /// The value that never changes, or nil.
    public var constantValue: Double? {
        keys.allSatisfy { $0.value == keys[0].value } ? keys[0].value : nil
    }

    /// The value at `time`; at a key's own time exactly that key's value.
    public func value(at time: MediaTime) -> Double {
        value(before: keys.firstSortedIndex { $0.time > time }) { ((time - $0) / ($1 - $0)).doubleValue }
    }

    /// The value at a time that is no exact one.
    public func value(atSeconds seconds: Double) -> Double {
        value(before: keys.firstSortedIndex { $0.time.doubleValue > seconds }) { from, to in
            (seconds - from.doubleValue) / (to.doubleValue - from.doubleValue)
        }
    }

    /// - Parameters:
    ///   - next: the first key that comes later; nil behind the last.
    ///   - progress: how far it is from the time of one key to that of the next, 0..<1.
    private func value(before next: Int?, _ progress: (MediaTime, MediaTime) -> Double) -> Double {
        guard let next else { return keys[keys.count - 1].value }
        guard next > 0 else { return keys[0].value }
        let (from, to) = (keys[next - 1], keys[next])
        let progress = progress(from.time, to.time)
        return progress > 0 ? from.value + (to.value - from.value) * from.easing.value(at: progress) : from.value
    }

    /// The same values during a stretch of time, with no key that does not matter there: what happens elsewhere leaves no trace.
    public func restricted(to range: TimeRange) -> AnimatedValue {
        let first = keys.lastSortedIndex { $0.time <= range.start } ?? 0
        let last = keys.firstSortedIndex { $0.time >= range.end } ?? keys.count - 1
        guard first < last else { return .constant(keys[first].value) }
        if last == first + 1, keys[first].easing == .hold, keys[last].time >= range.end { return .constant(keys[first].value) }
        return AnimatedValue(keys: Array(keys[first...last]))
    }

    /// Every value times `factor`.
    public func scaled(by factor: Double) -> AnimatedValue {
        AnimatedValue(keys: keys.map { Key(time: $0.time, value: $0.value * factor, easing: $0.easing) })
    }

    /// The same change, `offset` later; a constant stays the same value.
    public func shifted(by offset: MediaTime) -> AnimatedValue { retimed(.shift(by: offset)) }

    /// The same change at other times; a constant stays the same value.
    public func retimed(_ change: Retiming) -> AnimatedValue {
        guard constantValue == nil else { return .constant(keys[0].value) }
        if case .held(let instant) = change { return .constant(value(at: instant)) }
        return AnimatedValue(
            keys: keys.compactMap { key in
                change.newTime(of: key.time).map { Key(time: $0, value: key.value, easing: key.easing) }
            })
    }
}
