package import ExactTime

/// Everything that the compiler needs to know about a source. One probe finds it out, and it holds as long as the bytes
/// stay the same.
///
/// Source times count from `origin`, the earliest presentation time of the streams in use, whatever time the container
/// starts at.
package struct SourceFacts: Hashable, Sendable, Codable {
    /// Facts of another version cannot be decoded.
    package private(set) var version = FactsVersion()
    /// The sha256 of the file, as 64 hexadecimal digits. After the compiler, the source is known by `name`.
    package var contentHash: String
    package var byteCount: Int
    /// libavformat's name for the container. For an auxiliary source it is `cube`, `srt`, `webvtt`, `ass` or `font`,
    /// for a plug-in its interface, `frei0r` or `spool-plugin`.
    package var container: String
    /// The container time of source time 0.
    package var origin: MediaTime
    package var video: VideoFacts?
    package var audio: AudioFacts?
    /// The kind of an auxiliary source, which has neither picture nor sound.
    package var auxiliaryKind: AuxiliarySourceKind?
    /// The facts of a plug-in, which has neither picture nor sound.
    package var plugin: PluginFacts?
    /// The answer to a font request, whose content hash is that of all font files together.
    package var fonts: FontFacts?
    /// The identity of the file when it was probed. Nil for what is not a single file.
    package var identity: FileIdentity?
    /// All streams of the file, in its order. Nil for what is not a container, and in jobs.
    package var streams: [StreamFacts]?
    /// The file's own tags, such as title, creation time, make and model. Nil where it has none, and in jobs.
    package var tags: [String: String]?
    /// The picture streams that play only where a draft chooses them. Nil where there are none, and in jobs.
    package var otherVideo: [VideoFacts]?
    /// The sound streams that play only where a draft chooses them. Nil where there are none, and in jobs.
    package var otherAudio: [AudioFacts]?
    /// Which streams `video` and `audio` are the facts of, where a draft chose others than the usual ones.
    package var chosen: ChosenStreams?

    package init(
        contentHash: String, byteCount: Int, container: String, origin: MediaTime, video: VideoFacts?, audio: AudioFacts?,
        auxiliaryKind: AuxiliarySourceKind? = nil, plugin: PluginFacts? = nil, fonts: FontFacts? = nil,
        identity: FileIdentity? = nil
    ) {
        self.contentHash = contentHash
        self.byteCount = byteCount
        self.container = container
        self.origin = origin
        self.video = video
        self.audio = audio
        self.auxiliaryKind = auxiliaryKind
        self.plugin = plugin
        self.fonts = fonts
        self.identity = identity
    }

    /// How long the source plays: the duration of its picture, or of its sound where it has no picture.
    package var duration: MediaTime { video?.duration ?? audio?.duration ?? .zero }
}

/// The kinds of auxiliary sources.
package enum AuxiliarySourceKind: String, Hashable, Sendable, Codable {
    /// A colour lookup table. A picture that holds a lookup table is not recognised by the probe and counts as a
    /// picture.
    case lookupTable
    case captions
    case font
}

/// The picture stream of a source.
package struct VideoFacts: Hashable, Sendable, Codable {
    package var streamIndex: Int
    package var codec: String
    /// Stored pixels, before orientation and sample aspect.
    package var size: FrameSize
    package var orientation: Orientation
    /// Width over height of one stored pixel.
    package var sampleAspectRatio: Rational
    /// libavutil's name of the pixel format.
    package var pixelFormat: String
    package var hasAlpha: Bool
    package var color: ColorDescription
    /// Seconds per tick of the stream's timestamps.
    package var timeBase: Rational
    /// The frame rate: exact where it is constant, that of most frames where it is variable.
    package var frameRate: FrameRate
    package var isVariableFrameRate: Bool
    package var frameCount: Int
    /// From source time 0 to the end of the last frame, corrected for the container's rounding where the rate is
    /// constant.
    package var duration: MediaTime
    /// Source times at which decoding can start, in rising order.
    package var keyframes: [MediaTime]
    /// Whether the stream is a single picture without timing, as in an image file.
    package var isStill: Bool
    /// Whether a moving picture is a picture file instead of a film: an animated GIF, APNG or WebP, a Lottie
    /// animation, or a sequence in HEIC or AVIF. Where a draft takes a still picture, its first picture is used.
    package var isAnimatedPicture: Bool
    /// Bits per sample of each channel; nil for a pixel format that libavutil does not describe.
    package var bitsPerSample: Int?
    /// Nil where the file does not say.
    package var chromaLocation: ChromaLocation?
    /// Nil for a progressive source.
    package var interlacing: Interlacing?
    /// The stream's HDR metadata; nil where the file has none.
    package var hdrMetadata: HDRMetadata?
    /// Nil for pictures without an ICC profile, for those whose colours are those of sRGB, and for films. Where it is
    /// applied, `color` describes the pictures after a conversion to sRGB.
    package var profile: PictureProfile?
    /// Nil for sources that are not films.
    package var packets: PacketFacts?
    /// The duration of the pictures according to the container, where the file ends earlier.
    package var declaredDuration: MediaTime?

    package init(
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

    /// How long after an instant a frame may start and still count as started at it, because containers round their
    /// timestamps (WebM to 1 ms): one tick, but at most a quarter of a frame.
    package var startTolerance: MediaTime {
        min(MediaTime(timeBase), frameRate.frameDuration * Rational(1, 4))
    }

    /// The upright picture's size in square pixels, in which crops are measured.
    package var displaySize: FrameSize {
        let wide = max(1, (Rational(size.width) * sampleAspectRatio).rounded)
        return orientation.swapsAxes
            ? FrameSize(width: size.height, height: wide) : FrameSize(width: wide, height: size.height)
    }

    /// The facts with the samples as they are in the file, which its ICC profile does not change.
    package var stored: VideoFacts {
        var facts = self
        if let profile { facts.color = profile.storedColor }
        facts.profile = nil
        return facts
    }

    /// The facts of the pictures as a film of these primaries gets them: pictures with an ICC profile are converted to the
    /// film's gamut.
    package func shown(in primaries: ColorDescription.Primaries) -> VideoFacts {
        var facts = self
        if profile?.isApplied == true { facts.color.primaries = primaries.gamut }
        return facts
    }

    /// Whether its pictures are drawn at any size, instead of being stored as pixels: an SVG or a Lottie animation.
    package var isDrawing: Bool { codec == "svg" || codec == "lottie" }
}

/// The sound stream of a source.
package struct AudioFacts: Hashable, Sendable, Codable {
    package var streamIndex: Int
    package var codec: String
    /// Samples per second.
    package var sampleRate: Int
    package var channels: Int
    /// libavutil's name of the layout: `mono`, `stereo`, `5.1`, ...
    package var channelLayout: String
    /// Seconds per tick of the stream's timestamps.
    package var timeBase: Rational
    /// From source time 0 to the end of the last sample.
    package var duration: MediaTime
    /// The duration of the sound according to the container, where the file ends earlier.
    package var declaredDuration: MediaTime?

    package init(
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
