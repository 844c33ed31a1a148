/// A half-open range of time, `[start, start + duration)`.
package struct TimeRange: Hashable, Sendable, Codable {
    package var start: MediaTime
    package var duration: MediaTime

    package init(start: MediaTime, duration: MediaTime) {
        self.start = start
        self.duration = duration
    }

    package init(from start: MediaTime, to end: MediaTime) {
        self.init(start: start, duration: end - start)
    }

    /// The first time after the range.
    package var end: MediaTime { start + duration }

    package var isEmpty: Bool { duration <= .zero }

    package func contains(_ time: MediaTime) -> Bool { time >= start && time < end }

    /// The time in both ranges; empty, with an unspecified start, if they do not overlap.
    package func intersection(_ other: TimeRange) -> TimeRange {
        let from = max(start, other.start)
        let to = min(end, other.end)
        return TimeRange(start: from, duration: to > from ? to - from : .zero)
    }

    /// The same range, `offset` later.
    package func shifted(by offset: MediaTime) -> TimeRange {
        TimeRange(start: start + offset, duration: duration)
    }
}

extension TimeRange: CustomStringConvertible {
    package var description: String { "[\(start), \(end))" }
}
