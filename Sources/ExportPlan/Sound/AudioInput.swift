package import ExactTime

/// One sound on the timeline: a range of a source, how it is played, and how loud it is over time.
package struct AudioInput: Hashable, Sendable, Codable {
    /// A part of the input that plays at one speed.
    package struct SpeedRange: Hashable, Sendable, Codable {
        /// The length on the timeline.
        package var duration: MediaTime
        /// The length in the source.
        package var sourceDuration: MediaTime

        package init(duration: MediaTime, sourceDuration: MediaTime) {
            self.duration = duration
            self.sourceDuration = sourceDuration
        }

        /// Source seconds per timeline second.
        package var speed: Rational { sourceDuration / duration }
    }

    /// Neighbouring inputs that play one source without a break, and that one time stretcher processes together.
    package struct Run: Hashable, Sendable, Codable {
        /// From the start of the first input to the end of the last, on the timeline.
        package var timeRange: TimeRange
        /// The whole range of the source that they play.
        package var sourceRange: TimeRange

        package init(timeRange: TimeRange, sourceRange: TimeRange) {
            self.timeRange = timeRange
            self.sourceRange = sourceRange
        }
    }

    /// The source's name.
    package var source: String
    package var timeRange: TimeRange
    /// The range of source time that plays.
    package var sourceRange: TimeRange
    package var reversed: Bool
    /// Source seconds per timeline second, above zero; the average where the speed changes.
    package var speed: Rational
    /// The parts that play at different speeds, in the timeline's order; nil where the speed is constant.
    package var speedRanges: [SpeedRange]?
    /// Whether the pitch stays the same when the speed is not 1.
    package var keepsPitch: Bool
    /// The change of pitch, in semitones.
    package var pitch: Double
    /// The run of neighbours that this input is time-stretched together with; nil where it is time-stretched alone.
    package var run: Run?
    /// Gain curves that are multiplied with each other.
    package var gains: [GainCurve]
    /// Where it stands: a curve from 0 (left) over 1 (middle) to 2 (right); nil where it is not moved.
    package var pan: GainCurve?
    /// Filters before the gains, in order; nil where there are none.
    package var filters: [SoundFilter]?
    /// How the sound is ducked while the main track is heard; nil where it is not.
    package var duck: SideChainGain?
    /// Whether the sound belongs to the main track; nil means no.
    package var isMainTrack: Bool?
    /// The number of the group that the sound is in, among the composition's `soundGroups`; nil where it is in none.
    package var group: Int?

    package init(
        source: String, timeRange: TimeRange, sourceRange: TimeRange, reversed: Bool, speed: Rational,
        speedRanges: [SpeedRange]? = nil,
        keepsPitch: Bool, pitch: Double, gains: [GainCurve]
    ) {
        self.source = source
        self.timeRange = timeRange
        self.sourceRange = sourceRange
        self.reversed = reversed
        self.speed = speed
        self.speedRanges = speedRanges
        self.keepsPitch = keepsPitch
        self.pitch = pitch
        self.gains = gains
    }

    /// Whether a time stretcher has to process the sound.
    package var needsStretching: Bool { (keepsPitch && (speed != .one || speedRanges != nil)) || pitch != 0 }
}
