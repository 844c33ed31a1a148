package import ExactTime

/// The source time for each timeline time: a straight line, a line that repeats, or a line followed by a speed ramp.
package struct SourceTiming: Hashable, Sendable, Codable {
    /// A timeline time.
    package var timelineStart: MediaTime
    /// The source time at `timelineStart`; with a ramp, the time since the ramp began.
    package var sourceStart: MediaTime
    /// Source seconds per timeline second; negative values play backwards, and 0 holds one frame.
    package var rate: Rational
    /// The range of the source that repeats; nil where the source plays once.
    package var loop: TimeRange?
    /// Maps the line's time to a source time; nil where the line's time is the source time. Not combined with a loop.
    package var ramp: SpeedRamp?
    /// Whether a source that is held plays backwards, because then another frame is shown at the same time.
    package var isHeldBackwards: Bool?
    /// Whether neighbouring frames of the source are mixed for times between them; nil means no.
    package var blendsFrames: Bool?
    /// How the source is deinterlaced; nil where its frames are shown as they are.
    package var fields: SourceFields?
    /// Holds the picture for steps of equal length, which looks like stop motion; nil where it does not. Not combined
    /// with a loop.
    package var steps: Steps?

    /// Steps in the line's time, the first of which begins where the clip begins.
    package struct Steps: Hashable, Sendable, Codable {
        package var start: MediaTime
        /// Negative where the source plays backwards.
        package var length: MediaTime

        package init(start: MediaTime, length: MediaTime) {
            self.start = start
            self.length = length
        }

        /// The start of the step that contains a time.
        func start(at line: MediaTime) -> MediaTime { start + length * Rational(((line - start) / length).floor) }
    }

    package init(
        timelineStart: MediaTime, sourceStart: MediaTime, rate: Rational, loop: TimeRange? = nil, ramp: SpeedRamp? = nil,
        blendsFrames: Bool? = nil, fields: SourceFields? = nil, steps: Steps? = nil
    ) {
        self.steps = steps
        self.fields = fields
        self.timelineStart = timelineStart
        self.sourceStart = sourceStart
        self.rate = rate
        self.loop = loop
        self.ramp = ramp
        self.blendsFrames = blendsFrames
    }

    package var isReversed: Bool { rate < .zero || isHeldBackwards == true }

    /// Whether the source is held at one instant.
    package var isHeld: Bool { rate == .zero }

    package func sourceTime(at time: MediaTime) -> MediaTime {
        var line = lineTime(at: time)
        if let steps { line = steps.start(at: line) }
        return ramp?.sourceTime(at: line) ?? line
    }

    /// The timeline time at which `sourceTime` is reached, apart from steps, for the first time where the source loops; nil where it is
    /// held.
    package func timelineTime(ofSource sourceTime: MediaTime) -> MediaTime? {
        guard !isHeld else { return nil }
        return timelineStart + ((ramp?.time(ofSource: sourceTime) ?? sourceTime) - sourceStart) / rate
    }

    /// The same timing, `offset` later.
    package func rebased(by offset: MediaTime) -> SourceTiming { retimed(.shift(by: offset)) }

    /// The same instants at other times, rewritten so that `timelineStart` is 0: two slices that show the same thing
    /// are equal then.
    package func retimed(_ change: Retiming) -> SourceTiming {
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
        // A repetition begins at the range's start when playing forwards, and at its end when playing backwards.
        func part(_ distance: MediaTime) -> MediaTime { distance - loop.duration * Rational((distance / loop.duration).floor) }
        return isReversed ? loop.end - part(loop.end - straight) : loop.start + part(straight - loop.start)
    }
}
