public import Vocabulary

/// Settings of the picture's encoder, all decided: the same for every segment of a film.
public struct VideoEncodeSettings: Hashable, Sendable, Codable {
    public var codec: VideoCodec
    public var rate: VideoRate
    /// A libx264 preset name; other encoders have speeds of their own that stand for it.
    public var speed: String
    /// Frames.
    public var maxKeyframeInterval: Int
    /// Of a film that keeps its sources' colours; nil is 8 bits of BT.709.
    public var color: FilmColor?
    /// Of H.264; nil leaves it to the encoder.
    public var profile: VideoProfile?
    /// Whether its pictures will stand between another encoder's, whose parameter sets must not be mistaken for its own; nil is no.
    public var standsBetweenOthers: Bool?

    public init(codec: VideoCodec, rate: VideoRate, speed: String, maxKeyframeInterval: Int, profile: VideoProfile? = nil) {
        self.codec = codec
        self.rate = rate
        self.speed = speed
        self.maxKeyframeInterval = maxKeyframeInterval
        self.profile = profile
    }
}

/// What decides how many bits a picture gets.
public enum VideoRate: Hashable, Sendable, Codable {
    /// The same quality everywhere, as the codec's encoder counts it: 0...51 of libx264 and libx265, 0...63 of the others.
    case quality(constantRateFactor: Double)
    /// What of a film's bits is allocated to the segment that was measured under a key; `bitrate` is the whole film's, in bits per second.
    case share(bitrate: Int, allocation: ArtifactKey, measure: ArtifactKey)
    /// The codec's own: ProRes, GIF.
    case fixed
}

/// Settings of the mix and of the sound's encoder.
public struct AudioEncodeSettings: Hashable, Sendable, Codable {
    public var codec: AudioCodec
    /// Bits per second; what loses nothing has none.
    public var bitrate: Int
    /// Samples per second.
    public var sampleRate: Int
    public var channels: Int

    public init(codec: AudioCodec = .aac, bitrate: Int, sampleRate: Int, channels: Int) {
        self.codec = codec
        self.bitrate = bitrate
        self.sampleRate = sampleRate
        self.channels = channels
    }
}

/// Settings of the file.
public struct ContainerSettings: Hashable, Sendable, Codable {
    public var fileType: FileType
    /// `moov` before `mdat`, so that playing can start before the download ends.
    public var optimizeForNetworkUse: Bool
    /// Written as container tags.
    public var metadata: [String: String]
    /// What the file says of the picture's light; nil where nothing is known.
    public var light: LightMetadata?

    /// The tags that MP4 files usually have: iTunes', by FFmpeg's names. Tags of other names go into a list of another kind, which most
    /// players do not read and which has no place for a cover.
    public static let usualTags: Set<String> = [
        "album", "album_artist", "artist", "comment", "composer", "copyright", "creation_time", "date", "description", "encoder",
        "episode_id", "genre", "grouping", "keywords", "lyrics", "network", "show", "synopsis", "title",
    ]

    /// The tags that an animated WebP can have: those that XMP has words for.
    public static let animationTags: Set<String> = [
        "album", "artist", "comment", "composer", "copyright", "creation_time", "date", "description", "encoder", "genre",
        "keywords",
        "title",
    ]

    public var hasUnusualTags: Bool { metadata.keys.contains { !ContainerSettings.usualTags.contains($0) } }

    public init(fileType: FileType, optimizeForNetworkUse: Bool, metadata: [String: String]) {
        self.fileType = fileType
        self.optimizeForNetworkUse = optimizeForNetworkUse
        self.metadata = metadata
    }
}
