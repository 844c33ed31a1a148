public import ExactTime

/// Which instant of a source stands at which instant of the timeline: a straight line, or one that begins again and again.
public struct SourceTiming: Hashable, Sendable, Codable {
    /// A timeline time...
    public var timelineStart: MediaTime
    /// ...and the source time that stands there.
    public var sourceStart: MediaTime
    /// Source seconds per timeline second; below zero the source plays backwards.
    public var rate: Rational
    /// The stretch of the source that plays round after round; nil where it plays once.
    public var loop: TimeRange?

    public init(timelineStart: MediaTime, sourceStart: MediaTime, rate: Rational, loop: TimeRange? = nil) {
        self.timelineStart = timelineStart
        self.sourceStart = sourceStart
        self.rate = rate
        self.loop = loop
    }

    public var isReversed: Bool { rate < .zero }

    public func sourceTime(at time: MediaTime) -> MediaTime {
        let straight = sourceStart + (time - timelineStart) * rate
        guard let loop else { return straight }
        // Forwards a round begins at the range's start, backwards at its end.
        func part(_ distance: MediaTime) -> MediaTime { distance - loop.duration * Rational((distance / loop.duration).floor) }
        return isReversed ? loop.end - part(loop.end - straight) : loop.start + part(straight - loop.start)
    }

    /// The timeline time at which `sourceTime` is reached, the first time where it loops.
    public func timelineTime(ofSource sourceTime: MediaTime) -> MediaTime {
        timelineStart + (sourceTime - sourceStart) / rate
    }

    /// The same line, written with timeline time 0 as its start and everything `offset` later. Two slices that show
    /// the same thing are then written the same way.
    public func rebased(by offset: MediaTime) -> SourceTiming {
        SourceTiming(timelineStart: .zero, sourceStart: sourceTime(at: -offset), rate: rate, loop: loop)
    }
}
