public import ExactTime

/// Everything the compiler needs to know about a source, found by one probe and good for as long as its bytes are.
///
/// Source times count from `origin`: the earliest presentation time of the streams in use, whatever the container
/// happens to start at.
public struct SourceFacts: Hashable, Sendable, Codable {
    /// sha256 of the file, 64 hexadecimal digits: the source's name everywhere behind the compiler.
    public var contentHash: String
    public var byteCount: Int
    /// libavformat's name for the container; of a document `cube`, `srt`, `webvtt`, `ass` or `font`, of a plug-in its interface, `frei0r` or
    /// `spool-plugin`.
    public var container: String
    /// The container time that source time 0 stands for.
    public var origin: MediaTime
    public var video: VideoFacts?
    public var audio: AudioFacts?
    /// What the file is where it is no media: it has neither picture nor sound then. Facts of earlier versions have none.
    public var document: DocumentKind?
    /// Of a plug-in, which has neither picture nor sound.
    public var plugin: PluginFacts?
    /// Of a request for fonts. Its hash is that of all files together.
    public var fonts: FontFacts?
    /// The file as it was when all this was found out. Nil of what is no single file, and in facts of earlier versions.
    public var identity: FileIdentity?

    public init(
        contentHash: String, byteCount: Int, container: String, origin: MediaTime, video: VideoFacts?, audio: AudioFacts?,
        document: DocumentKind? = nil, plugin: PluginFacts? = nil, fonts: FontFacts? = nil, identity: FileIdentity? = nil
    ) {
        self.contentHash = contentHash
        self.byteCount = byteCount
        self.container = container
        self.origin = origin
        self.video = video
        self.audio = audio
        self.document = document
        self.plugin = plugin
        self.fonts = fonts
        self.identity = identity
    }

    /// How long the source plays: as long as its picture, or its sound where it has no picture.
    public var duration: MediaTime { video?.duration ?? audio?.duration ?? .zero }
}

/// Files that are sources without being media.
public enum DocumentKind: String, Hashable, Sendable, Codable {
    /// A table of colours; of pictures that are tables nothing tells the probe so.
    case lookupTable
    case captions
    case font
}

/// The picture stream of a source.
public struct VideoFacts: Hashable, Sendable, Codable {
    public var streamIndex: Int
    public var codec: String
    /// Stored pixels, before orientation and sample aspect.
    public var size: FrameSize
    public var orientation: Orientation
    /// Width over height of one stored pixel.
    public var sampleAspectRatio: Rational
    /// libavutil's name.
    public var pixelFormat: String
    public var hasAlpha: Bool
    public var color: ColorDescription
    /// Seconds per tick of the stream's timestamps.
    public var timeBase: Rational
    /// The rate at which frames follow one another: exact where constant, that of most frames where variable.
    public var frameRate: FrameRate
    public var isVariableFrameRate: Bool
    public var frameCount: Int
    /// From source time 0 to the end of the last frame, freed from the container's rounding where the rate is constant.
    public var duration: MediaTime
    /// Source times at which decoding can start, rising.
    public var keyframes: [MediaTime]
    /// One picture without a clock: an image file.
    public var isStill: Bool
    /// A moving picture that is a picture file, not a film: an animated GIF, APNG or WebP, or a sequence in HEIC or AVIF. It
    /// may stand where a still may, with its first picture.
    public var isAnimatedPicture: Bool
    /// Of each channel. Facts of earlier versions have none, nor what follows.
    public var bitsPerSample: Int?
    /// Nil where the file does not say.
    public var chromaLocation: ChromaLocation?
    /// Nil where the file says nothing.
    public var light: LightMetadata?
    /// Nil of what is no film.
    public var packets: PacketFacts?
    /// How long the pictures would be by the word of the container, where the file ends before.
    public var promisedDuration: MediaTime?

    public init(
        streamIndex: Int, codec: String, size: FrameSize, orientation: Orientation, sampleAspectRatio: Rational,
        pixelFormat: String, hasAlpha: Bool, color: ColorDescription, timeBase: Rational, frameRate: FrameRate,
        isVariableFrameRate: Bool, frameCount: Int, duration: MediaTime, keyframes: [MediaTime], isStill: Bool,
        isAnimatedPicture: Bool = false
    ) {
        self.streamIndex = streamIndex
        self.codec = codec
        self.size = size
        self.orientation = orientation
        self.sampleAspectRatio = sampleAspectRatio
        self.pixelFormat = pixelFormat
        self.hasAlpha = hasAlpha
        self.color = color
        self.timeBase = timeBase
        self.frameRate = frameRate
        self.isVariableFrameRate = isVariableFrameRate
        self.frameCount = frameCount
        self.duration = duration
        self.keyframes = keyframes
        self.isStill = isStill
        self.isAnimatedPicture = isAnimatedPicture
    }

    /// How far after an instant a frame may start and still count as started: containers round their timestamps
    /// (WebM to 1 ms). One tick, at most a quarter of a frame.
    public var startTolerance: MediaTime {
        min(MediaTime(timeBase), frameRate.frameDuration * Rational(1, 4))
    }

    /// The upright picture's size in square pixels: what crops are measured in.
    public var displaySize: FrameSize {
        let wide = max(1, (Rational(size.width) * sampleAspectRatio).rounded)
        return orientation.swapsAxes
            ? FrameSize(width: size.height, height: wide) : FrameSize(width: wide, height: size.height)
    }
}

/// The sound stream of a source.
public struct AudioFacts: Hashable, Sendable, Codable {
    public var streamIndex: Int
    public var codec: String
    /// Samples per second.
    public var sampleRate: Int
    public var channels: Int
    /// libavutil's name: `mono`, `stereo`, `5.1`, ...
    public var channelLayout: String
    /// Seconds per tick of the stream's timestamps.
    public var timeBase: Rational
    /// From source time 0 to the end of the last sample.
    public var duration: MediaTime
    /// How long the sound would be by the word of the container, where the file ends before. Facts of earlier versions have none.
    public var promisedDuration: MediaTime?

    public init(
        streamIndex: Int, codec: String, sampleRate: Int, channels: Int, channelLayout: String, timeBase: Rational,
        duration: MediaTime
    ) {
        self.streamIndex = streamIndex
        self.codec = codec
        self.sampleRate = sampleRate
        self.channels = channels
        self.channelLayout = channelLayout
        self.timeBase = timeBase
        self.duration = duration
    }
}
