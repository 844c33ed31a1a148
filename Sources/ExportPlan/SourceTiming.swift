public import ExactTime

/// Which instant of a source stands at which instant of the timeline: a straight line, or one that begins again and again, or one
/// whose steepness follows a curve.
public struct SourceTiming: Hashable, Sendable, Codable {
    /// A timeline time...
    public var timelineStart: MediaTime
    /// ...and the source time that stands there; with a ramp the time since the ramp began.
    public var sourceStart: MediaTime
    /// Source seconds per timeline second; below zero the source plays backwards, at zero it stands still.
    public var rate: Rational
    /// The stretch of the source that plays round after round; nil where it plays once.
    public var loop: TimeRange?
    /// Turns the line's time into a source time; nil where it is one. Goes without a loop.
    public var ramp: SpeedRamp?
    /// Whether a source that stands still does so while it plays backwards: there another frame stands at the same time.
    public var isHeldBackwards: Bool?
    /// Whether neighbouring frames of the source are mixed where a time lies between them; nil is no.
    public var blendsFrames: Bool?

    public init(
        timelineStart: MediaTime, sourceStart: MediaTime, rate: Rational, loop: TimeRange? = nil, ramp: SpeedRamp? = nil,
        blendsFrames: Bool? = nil
    ) {
        self.timelineStart = timelineStart
        self.sourceStart = sourceStart
        self.rate = rate
        self.loop = loop
        self.ramp = ramp
        self.blendsFrames = blendsFrames
    }

    public var isReversed: Bool { rate < .zero || isHeldBackwards == true }

    /// Whether it is the same instant of the source all the time.
    public var isHeld: Bool { rate == .zero }

    public func sourceTime(at time: MediaTime) -> MediaTime {
        let line = lineTime(at: time)
        return ramp?.sourceTime(at: line) ?? line
    }

    /// The timeline time at which `sourceTime` is reached, the first time where it loops; nil where nothing moves on.
    public func timelineTime(ofSource sourceTime: MediaTime) -> MediaTime? {
        guard !isHeld else { return nil }
        return timelineStart + ((ramp?.time(ofSource: sourceTime) ?? sourceTime) - sourceStart) / rate
    }

    /// The same line, everything `offset` later.
    public func rebased(by offset: MediaTime) -> SourceTiming { retimed(.shift(by: offset)) }

    /// The same instants at other times, written with timeline time 0 as its start: two slices that show the same thing are then written
    /// the same way.
    public func retimed(_ change: Retiming) -> SourceTiming {
        var result = self
        result.timelineStart = .zero
        result.sourceStart = lineTime(at: change.oldTime(of: .zero))
        result.rate = rate * change.speed
        if result.isHeld {
            result.isHeldBackwards = isReversed ? true : nil
            result.loop = nil
        }
        return result
    }

    private func lineTime(at time: MediaTime) -> MediaTime {
        let straight = sourceStart + (time - timelineStart) * rate
        guard let loop else { return straight }
        // Forwards a round begins at the range's start, backwards at its end.
        func part(_ distance: MediaTime) -> MediaTime { distance - loop.duration * Rational((distance / loop.duration).floor) }
        return isReversed ? loop.end - part(loop.end - straight) : loop.start + part(straight - loop.start)
    }
}
