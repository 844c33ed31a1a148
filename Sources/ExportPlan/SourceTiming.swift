public import ExactTime

/// Which instant of a source stands at which instant of the timeline: a straight line.
public struct SourceTiming: Hashable, Sendable, Codable {
    /// A timeline time...
    public var timelineStart: MediaTime
    /// ...and the source time that stands there.
    public var sourceStart: MediaTime
    /// Source seconds per timeline second; below zero the source plays backwards.
    public var rate: Rational

    public init(timelineStart: MediaTime, sourceStart: MediaTime, rate: Rational) {
        self.timelineStart = timelineStart
        self.sourceStart = sourceStart
        self.rate = rate
    }

    public var isReversed: Bool { rate < .zero }

    public func sourceTime(at time: MediaTime) -> MediaTime {
        sourceStart + (time - timelineStart) * rate
    }

    /// The timeline time at which `sourceTime` is reached.
    public func timelineTime(ofSource sourceTime: MediaTime) -> MediaTime {
        timelineStart + (sourceTime - sourceStart) / rate
    }

    /// The same line, written with timeline time 0 as its start and everything `offset` later. Two slices that show
    /// the same thing are then written the same way.
    public func rebased(by offset: MediaTime) -> SourceTiming {
        SourceTiming(timelineStart: .zero, sourceStart: sourceTime(at: -offset), rate: rate)
    }
}
