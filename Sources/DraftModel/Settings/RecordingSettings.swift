package import ExactTime
package import Vocabulary

/// The settings of a recorder: the document with which a recording begins, without any defaults filled in.
///
/// They are the same for all clips of a recording. Settings that may differ between clips are in `ClipSettings`.
package struct RecordingSettings: Hashable, Sendable {
    /// The size of the recorded picture in pixels; 1280x720 by default.
    package var videoSize: PixelSize?
    /// The frame rate of the recorded picture; 30 by default.
    package var frameRate: FrameRate?
    /// How a picture of another aspect ratio is scaled to `videoSize`; `aspectFill` by default.
    package var scalingMode: ScalingMode?
    /// Whether clips are recorded without sound.
    package var mute: Bool?
    /// Whether the upright picture is mirrored left to right.
    package var mirror: Bool?
    /// The rotation that brings the incoming picture upright, in degrees clockwise: 0, 90, 180 or 270. It replaces the
    /// rotation that a file states.
    package var rotation: Int?
    /// The part of the upright picture that is recorded, in its pixels or as fractions of it.
    package var cropRect: Rect?
    package var watermark: Watermark?
    /// Pictures over parts of every clip, drawn in this order over the watermark.
    package var stickers: [Sticker]?
    /// Operations on every clip, in order.
    package var filters: [Filter]?
    /// Music that becomes an audio clip of the draft. It is never recorded into a clip.
    package var backgroundMusic: BackgroundMusic?
    /// The shortest recording that can be finished, in film time.
    package var minDuration: MediaTime?
    /// The film time at which a recording stops by itself.
    package var maxDuration: MediaTime?
    /// How many bytes are captured for a clip at most, 10 000...10^15. Files and uploads are taken whatever their size.
    package var maxFileSize: Int?
    /// How many bytes stay free on the disk that captured media are written to, 0...10^15: what is captured ends there.
    package var minFreeDiskSpace: Int?
    /// Tags of the draft.
    package var metadata: [String: String]?
    /// The draft that the recording continues: its clips come before the recorded ones, and all else of it stays.
    package var draft: Draft?
    /// How long that draft's main track is. It counts for the shortest and the longest recording.
    package var draftDuration: MediaTime?
    /// The encoding of the clips. In JSON its fields stand beside the others.
    package var encoding = ExportSettings()

    package init() {}

    /// A picture drawn over the recorded picture.
    package struct Watermark: Hashable, Sendable, Encodable {
        package var url: String
        /// The rectangle into which it is stretched.
        package var destRect: Rect

        package init(url: String, destRect: Rect) {
            self.url = url
            self.destRect = destRect
        }
    }

    /// A picture drawn over a part of the recorded clip.
    package struct Sticker: Hashable, Sendable, Encodable {
        package var url: String
        /// The rectangle into which it is stretched.
        package var destRect: Rect
        /// When it is shown, in the clip's own time; all the time if it is nil. What lies beyond the clip's end is not shown.
        package var timeRange: TimeRange?

        package init(url: String, destRect: Rect, timeRange: TimeRange? = nil) {
            self.url = url
            self.destRect = destRect
            self.timeRange = timeRange
        }
    }

    /// Music that plays beside the clips.
    package struct BackgroundMusic: Hashable, Sendable, Encodable {
        package var url: String
        /// The range of the music that plays; by default all of it.
        package var timeRange: TimeRange?
        /// Linear gain, 0...8.
        package var volume: Double?
        /// Whether it repeats until the video ends.
        package var loop: Bool?

        package init(url: String) {
            self.url = url
        }
    }
}

/// The settings of a single clip.
package struct ClipSettings: Hashable, Sendable, Codable {
    /// The speed of the clip in the draft, 0.1...16. It is recorded at normal speed.
    package var speed: Rational
    /// Linear gain in the draft, 0...8.
    package var volume: Double
    /// The file type; by default that of the recording.
    package var fileType: FileType?
    /// How much of the incoming media is recorded, in its own time; by default all of it.
    package var duration: MediaTime?

    package init(speed: Rational = .one, volume: Double = 1, fileType: FileType? = nil, duration: MediaTime? = nil) {
        self.speed = speed
        self.volume = volume
        self.fileType = fileType
        self.duration = duration
    }
}
