public import ExactTime
public import Vocabulary

/// Sound beside the main track, placed on the timeline after time effects: music, a voice-over, an effect.
public struct AudioClip: Hashable, Sendable, Encodable {
    public var url: String
    /// What plays, in source time; default all of it.
    public var timeRange: TimeRange?
    public var startTimeAtMainTrack: MediaTime?
    /// 0.1...16.
    public var speed: Rational?
    /// Linear gain, 0...8.
    public var volume: Double?
    /// In clip time.
    public var volumeRamps: [VolumeRamp]?
    public var fadeIn: MediaTime?
    public var fadeOut: MediaTime?
    /// Straight lines by default.
    public var fadeInCurve: FadeCurve?
    public var fadeOutCurve: FadeCurve?
    /// Semitones, -24...24.
    public var pitch: Double?
    public var timePitchAlgorithm: TimePitchAlgorithm?
    /// Repeats until the video ends.
    public var loop: Bool?
    /// How it steps back while the main track is heard.
    public var duck: Ducking?

    public init(url: String) {
        self.url = url
    }
}
