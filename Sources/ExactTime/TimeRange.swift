/// A half-open stretch of time, `[start, start + duration)`.
public struct TimeRange: Hashable, Sendable, Codable {
    public var start: MediaTime
    public var duration: MediaTime

    public init(start: MediaTime, duration: MediaTime) {
        self.start = start
        self.duration = duration
    }

    public init(from start: MediaTime, to end: MediaTime) {
        self.init(start: start, duration: end - start)
    }

    /// The first time that is no longer inside.
    public var end: MediaTime { start + duration }

    public var isEmpty: Bool { duration <= .zero }

    public func contains(_ time: MediaTime) -> Bool { time >= start && time < end }

    /// What both cover; empty (with an unspecified start) when they do not meet.
    public func intersection(_ other: TimeRange) -> TimeRange {
        let from = max(start, other.start)
        let to = min(end, other.end)
        return TimeRange(start: from, duration: to > from ? to - from : .zero)
    }

    /// The same stretch, `offset` later.
    public func shifted(by offset: MediaTime) -> TimeRange {
        TimeRange(start: start + offset, duration: duration)
    }
}

extension TimeRange: CustomStringConvertible {
    public var description: String { "[\(start), \(end))" }
}
