public import ExactTime

/// One sound on the timeline: a stretch of a source, how it is played, and how loud it is over time.
public struct AudioInput: Hashable, Sendable, Codable {
    /// A stretch at one speed.
    public struct Leg: Hashable, Sendable, Codable {
        /// On the timeline.
        public var duration: MediaTime
        /// Of the source.
        public var sourceDuration: MediaTime

        public init(duration: MediaTime, sourceDuration: MediaTime) {
            self.duration = duration
            self.sourceDuration = sourceDuration
        }

        /// Source seconds per timeline second.
        public var speed: Rational { sourceDuration / duration }
    }

    /// Neighbours that play one source on and on, and that one time stretcher runs over.
    public struct Run: Hashable, Sendable, Codable {
        /// From where the first begins to where the last ends, on the timeline.
        public var timeRange: TimeRange
        /// All that they play of the source.
        public var sourceRange: TimeRange

        public init(timeRange: TimeRange, sourceRange: TimeRange) {
            self.timeRange = timeRange
            self.sourceRange = sourceRange
        }
    }

    /// Content hash.
    public var source: String
    public var timeRange: TimeRange
    /// The stretch of source time that plays.
    public var sourceRange: TimeRange
    public var reversed: Bool
    /// Source seconds per timeline second, above zero; on average where it changes.
    public var speed: Rational
    /// Stretches that play at speeds of their own, in the timeline's order; nil where all of it plays at one.
    public var legs: [Leg]?
    /// Whether pitch stays when the speed is not 1.
    public var keepsPitch: Bool
    /// Semitones.
    public var pitch: Double
    /// What is stretched, where neighbours are stretched together with it; nil where it is stretched alone.
    public var run: Run?
    /// Multiplied with each other.
    public var gains: [GainCurve]
    /// How it steps back while the main track is heard; nil where it does not.
    public var duck: SideChainGain?
    /// Whether it is a sound of the main track; nil is no.
    public var isMainTrack: Bool?

    public init(
        source: String, timeRange: TimeRange, sourceRange: TimeRange, reversed: Bool, speed: Rational, legs: [Leg]? = nil,
        keepsPitch: Bool, pitch: Double, gains: [GainCurve]
    ) {
        self.source = source
        self.timeRange = timeRange
        self.sourceRange = sourceRange
        self.reversed = reversed
        self.speed = speed
        self.legs = legs
        self.keepsPitch = keepsPitch
        self.pitch = pitch
        self.gains = gains
    }

    /// Whether a time stretcher has to run over it.
    public var needsStretching: Bool { (keepsPitch && (speed != .one || legs != nil)) || pitch != 0 }
}
