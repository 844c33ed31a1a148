package import ExactTime

/// A number that may change over time: keyframes joined by easings. Before the first keyframe its value holds, and
/// after the last keyframe that one's value; a value with a single keyframe is constant.
package struct AnimatedValue: Hashable, Sendable, Codable {
    package struct Key: Hashable, Sendable, Codable {
        package var time: MediaTime
        package var value: Double
        /// How the value goes from this keyframe to the next.
        package var easing: TimingFunction

        package init(time: MediaTime, value: Double, easing: TimingFunction = .linear) {
            self.time = time
            self.value = value
            self.easing = easing
        }
    }

    /// The keyframes, at least one, with rising times.
    package var keys: [Key]

    package init(keys: [Key]) {
        precondition(!keys.isEmpty, "an animated value has at least one key")
        self.keys = keys
    }

    package static func constant(_ value: Double) -> AnimatedValue {
        AnimatedValue(keys: [Key(time: .zero, value: value)])
    }

    /// The value that never changes, or nil.
    package var constantValue: Double? {
        keys.allSatisfy { $0.value == keys[0].value } ? keys[0].value : nil
    }

    /// The value at `time`; at a keyframe's own time exactly that keyframe's value.
    package func value(at time: MediaTime) -> Double {
        value(before: keys.firstSortedIndex { $0.time > time }) { ((time - $0) / ($1 - $0)).doubleValue }
    }

    /// The value at a time in floating-point seconds, for callers that have no exact time.
    package func value(atSeconds seconds: Double) -> Double {
        value(before: keys.firstSortedIndex { $0.time.doubleValue > seconds }) { from, to in
            (seconds - from.doubleValue) / (to.doubleValue - from.doubleValue)
        }
    }

    /// - Parameters:
    ///   - next: the first keyframe later than the time; nil after the last keyframe.
    ///   - progress: how far the time is from one keyframe to the next, 0..<1.
    private func value(before next: Int?, _ progress: (MediaTime, MediaTime) -> Double) -> Double {
        guard let next else { return keys[keys.count - 1].value }
        guard next > 0 else { return keys[0].value }
        let (from, to) = (keys[next - 1], keys[next])
        let progress = progress(from.time, to.time)
        return progress > 0 ? from.value + (to.value - from.value) * from.easing.value(at: progress) : from.value
    }

    /// The same values within `range`, without the keyframes that do not matter there. Changes outside the range leave
    /// no trace, so that equal slices of different drafts are equal.
    package func restricted(to range: TimeRange) -> AnimatedValue {
        let first = keys.lastSortedIndex { $0.time <= range.start } ?? 0
        let last = keys.firstSortedIndex { $0.time >= range.end } ?? keys.count - 1
        guard first < last else { return .constant(keys[first].value) }
        if last == first + 1, keys[first].easing == .hold, keys[last].time >= range.end { return .constant(keys[first].value) }
        return AnimatedValue(keys: Array(keys[first...last]))
    }

    /// Every value times `factor`.
    package func scaled(by factor: Double) -> AnimatedValue {
        AnimatedValue(keys: keys.map { Key(time: $0.time, value: $0.value * factor, easing: $0.easing) })
    }

    /// The same change, `offset` later; a constant stays as it is.
    package func shifted(by offset: MediaTime) -> AnimatedValue { retimed(.shift(by: offset)) }

    /// The same change at other times; a constant stays as it is.
    package func retimed(_ change: Retiming) -> AnimatedValue {
        guard constantValue == nil else { return .constant(keys[0].value) }
        if case .held(let instant) = change { return .constant(value(at: instant)) }
        return AnimatedValue(
            keys: keys.compactMap { key in
                change.newTime(of: key.time).map { Key(time: $0, value: key.value, easing: key.easing) }
            })
    }
}
