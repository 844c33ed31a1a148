package import Vocabulary

/// Settings of the video encoder, with every default filled in: the same for every segment of a film.
package struct VideoEncodeSettings: Hashable, Sendable, Codable {
    package var codec: VideoCodec
    package var rate: VideoRate
    /// A libx264 preset name; for other encoders it selects their corresponding speed.
    package var speed: String
    /// The greatest distance between keyframes, in frames.
    package var maxKeyframeInterval: Int
    /// The colours of a film that keeps its sources' colours; nil for a film of 8 bits that is composed.
    package var color: FilmColor?
    /// The colours of a film that is composed, in limited range; nil means BT.709. Its primaries are those in which it is
    /// composed, its matrix that of the encoded samples.
    package var composedColor: ColorDescription?
    /// The H.264 profile; nil leaves the choice to the encoder.
    package var profile: VideoProfile?
    /// Ten times the level that the stream has to declare; nil leaves the choice to the encoder.
    package var level: Int?
    /// Whether the pictures will stand between pictures of another encoder, whose parameter sets must not be mistaken
    /// for their own; nil means no.
    package var standsBetweenOthers: Bool?
    /// Whether the pictures keep their transparency; nil means no.
    package var alpha: Bool?
    /// Whether each picture becomes a file of its own, although the codec also makes animations; nil means no.
    package var stills: Bool?
    /// The sizes to which composed pictures are scaled before they are encoded, with even sides: the file has a track for
    /// each. Nil for a single track of the canvas's size.
    package var renditions: [FrameSize]?
    /// Every so many frames, from the first on, a picture is a keyframe in all renditions, so that players can change from
    /// one to another; nil leaves the choice to the encoder.
    package var keyframeSpacing: Int?

    package init(
        codec: VideoCodec, rate: VideoRate, speed: String, maxKeyframeInterval: Int, profile: VideoProfile? = nil,
        level: Int? = nil, alpha: Bool? = nil
    ) {
        self.alpha = alpha
        self.level = level
        self.codec = codec
        self.rate = rate
        self.speed = speed
        self.maxKeyframeInterval = maxKeyframeInterval
        self.profile = profile
    }

    /// The sizes of the encoded pictures.
    package func sizes(ofCanvas canvas: FrameSize) -> [FrameSize] { renditions ?? [canvas] }
}

/// How the number of bits of a picture is decided.
package enum VideoRate: Hashable, Sendable, Codable {
    /// The same quality everywhere, on the encoder's own scale: 0...51 for libx264 and libx265, 0...63 for the others.
    case quality(constantRateFactor: Double)
    /// A share of the film's bits, namely the bits allocated to the segment that was measured under the key `measure`.
    /// `bitrate` is the whole film's, in bits per second. Where `isLimit` is true, the segment takes no more than its share.
    case share(bitrate: Int, allocation: ArtifactKey, measure: ArtifactKey, isLimit: Bool? = nil)
    /// The codec decides by itself: ProRes, GIF.
    case fixed
}

/// Settings of the mix and of the audio encoder.
package struct AudioEncodeSettings: Hashable, Sendable, Codable {
    package var codec: AudioCodec
    /// Bits per second; lossless codecs ignore it.
    package var bitrate: Int
    /// Samples per second.
    package var sampleRate: Int
    package var channels: Int

    package init(codec: AudioCodec = .aac, bitrate: Int, sampleRate: Int, channels: Int) {
        self.codec = codec
        self.bitrate = bitrate
        self.sampleRate = sampleRate
        self.channels = channels
    }
}

/// Settings of the container.
package struct ContainerSettings: Hashable, Sendable, Codable {
    package var fileType: FileType
    /// `moov` before `mdat`, so that playing can start before the download ends.
    package var optimizeForNetworkUse: Bool
    /// Metadata that is written as container tags.
    package var metadata: [String: String]
    /// The film's HDR metadata; nil where nothing is known.
    package var hdrMetadata: HDRMetadata?
    /// The greatest size of the file in bytes; nil where it does not matter.
    package var fileSizeLimit: Int?

    /// Whether there are tags that MP4 files do not usually have.
    package var hasUnusualTags: Bool { metadata.keys.contains { !TagSupport.iTunes.contains($0) } }

    package init(fileType: FileType, optimizeForNetworkUse: Bool, metadata: [String: String]) {
        self.fileType = fileType
        self.optimizeForNetworkUse = optimizeForNetworkUse
        self.metadata = metadata
    }
}
