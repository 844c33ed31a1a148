/// Settings of the picture's encoder, all decided: the same for every segment of a film.
public struct VideoEncodeSettings: Hashable, Sendable, Codable {
    public enum Codec: String, CaseIterable, Hashable, Sendable, Codable { case h264, hevc, vp9, av1, prores }

    public var codec: Codec
    /// Constant rate factor of the codec's encoder: 0...51 of libx264 and libx265, 0...63 of libvpx and SVT-AV1. ProRes has none.
    public var constantRateFactor: Double
    /// A libx264 preset name; other encoders have speeds of their own that stand for it.
    public var speed: String
    /// Frames.
    public var maxKeyframeInterval: Int

    public init(codec: Codec, constantRateFactor: Double, speed: String, maxKeyframeInterval: Int) {
        self.codec = codec
        self.constantRateFactor = constantRateFactor
        self.speed = speed
        self.maxKeyframeInterval = maxKeyframeInterval
    }
}

/// Settings of the mix and of the sound's encoder.
public struct AudioEncodeSettings: Hashable, Sendable, Codable {
    public enum Codec: String, CaseIterable, Hashable, Sendable, Codable {
        /// AAC-LC.
        case aac
        case opus, mp3, flac
        /// 16-bit PCM, little endian.
        case pcm
    }

    public var codec: Codec
    /// Bits per second; what loses nothing has none.
    public var bitrate: Int
    /// Samples per second.
    public var sampleRate: Int
    public var channels: Int

    public init(codec: Codec = .aac, bitrate: Int, sampleRate: Int, channels: Int) {
        self.codec = codec
        self.bitrate = bitrate
        self.sampleRate = sampleRate
        self.channels = channels
    }
}

/// Settings of the file.
public struct ContainerSettings: Hashable, Sendable, Codable {
    public enum FileType: String, CaseIterable, Hashable, Sendable, Codable {
        case mp4, mov, webm, mkv
        /// Sound alone.
        case m4a, wav, mp3, flac, ogg
    }

    public var fileType: FileType
    /// `moov` before `mdat`, so that playing can start before the download ends.
    public var optimizeForNetworkUse: Bool
    /// Written as container tags.
    public var metadata: [String: String]

    /// The tags that MP4 files have beside a cover (iTunes' names, as FFmpeg writes them). Tags of other names go into a list of
    /// another kind, which most players do not read and which has no place for a cover.
    public static let namesBesideCover: Set<String> = [
        "album", "album_artist", "artist", "comment", "composer", "copyright", "creation_time", "date", "description", "encoder",
        "episode_id", "genre", "grouping", "keywords", "lyrics", "network", "show", "synopsis", "title",
    ]

    public var hasNamesOfItsOwn: Bool { metadata.keys.contains { !ContainerSettings.namesBesideCover.contains($0) } }

    public init(fileType: FileType, optimizeForNetworkUse: Bool, metadata: [String: String]) {
        self.fileType = fileType
        self.optimizeForNetworkUse = optimizeForNetworkUse
        self.metadata = metadata
    }
}
