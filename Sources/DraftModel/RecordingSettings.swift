public import ExactTime
public import Vocabulary

/// What a recorder makes of what comes in: the document that a recording begins with, with nothing filled in that was not written.
///
/// Everything here is the same for all clips of a recording; what may differ from clip to clip is in `ClipSettings`.
public struct RecordingSettings: Hashable, Sendable {
    /// Pixels of the recorded picture; 1280x720.
    public var videoSize: PixelSize?
    /// Of the recorded picture; 30.
    public var frameRate: FrameRate?
    /// How a picture of another shape is brought to that size; `aspectFill`.
    public var scalingMode: ScalingMode?
    /// Whether clips are recorded without sound.
    public var mute: Bool?
    /// Whether the picture is mirrored left to right, as it is seen.
    public var mirror: Bool?
    /// Degrees clockwise that bring the incoming picture upright: 0, 90, 180 or 270, in place of what a file says of itself.
    public var rotation: Int?
    public var watermark: Watermark?
    /// On every clip, in order.
    public var filters: [Filter]?
    /// Goes into the draft as a sound of its own, and never into a clip.
    public var backgroundMusic: BackgroundMusic?
    /// What a recording has to have before it can be finished, in film time.
    public var minDuration: MediaTime?
    /// Where a recording stops by itself, in film time.
    public var maxDuration: MediaTime?
    /// How clips are encoded; its fields stand beside the others.
    public var encoding = ExportSettings()

    public init() {}

    /// A picture in the picture.
    public struct Watermark: Hashable, Sendable, Encodable {
        public var url: String
        /// Where it is stretched to.
        public var destRect: Rect

        public init(url: String, destRect: Rect) {
            self.url = url
            self.destRect = destRect
        }
    }

    /// The music that is heard beside the clips.
    public struct BackgroundMusic: Hashable, Sendable, Encodable {
        public var url: String
        /// What of it plays; default all.
        public var timeRange: TimeRange?
        /// Linear gain, 0...8.
        public var volume: Double?
        /// Whether it plays again and again until the video ends.
        public var loop: Bool?

        public init(url: String) {
            self.url = url
        }
    }
}

/// What is decided for each clip.
public struct ClipSettings: Hashable, Sendable, Codable {
    /// 0.1...16; the clip is recorded as it comes, and plays at that speed in the draft.
    public var speed: Rational
    /// Linear gain in the draft, 0...8.
    public var volume: Double
    /// The recording's own where nothing else is said.
    public var fileType: FileType?

    public init(speed: Rational = .one, volume: Double = 1, fileType: FileType? = nil) {
        self.speed = speed
        self.volume = volume
        self.fileType = fileType
    }
}
