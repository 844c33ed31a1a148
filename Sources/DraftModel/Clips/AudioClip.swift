package import ExactTime
package import Vocabulary

/// Sound beside the main track, such as music or a voice-over. It is placed on the timeline that results from time
/// effects.
package struct AudioClip: Hashable, Sendable, Encodable {
    package var id: String?
    package var url: String
    /// The sound stream that plays, where the file has several; by default the one that a player would choose.
    package var audioStream: StreamSelector?
    /// The range of source time that plays; by default the whole source.
    package var timeRange: TimeRange?
    package var startTimeAtMainTrack: MediaTime?
    /// 0.1...16.
    package var speed: Rational?
    /// Linear gain, 0...8.
    package var volume: Double?
    /// Ramps in clip time.
    package var volumeRamps: [VolumeRamp]?
    package var fadeIn: MediaTime?
    package var fadeOut: MediaTime?
    /// The curve of the fade-in; linear by default.
    package var fadeInCurve: FadeCurve?
    package var fadeOutCurve: FadeCurve?
    /// Semitones, -24...24.
    package var pitch: Double?
    package var timePitchAlgorithm: TimePitchAlgorithm?
    /// Where the sound stands: -1 (left) ... 1 (right).
    package var pan: Double?
    /// Filters of the sound, in order, before its volume.
    package var audioFilters: [AudioFilter]?
    /// Keyframes, in the clip's time.
    package var animations: [Animation]?
    /// Repeats until the video ends.
    package var loop: Bool?
    /// The ducking of this clip while the main track is heard.
    package var duck: Ducking?

    package init(url: String) {
        self.url = url
    }
}
