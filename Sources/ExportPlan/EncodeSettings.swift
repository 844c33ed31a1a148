/// Settings of the picture's encoder, all decided: the same for every segment of a film.
public struct VideoEncodeSettings: Hashable, Sendable, Codable {
    public enum Codec: String, Hashable, Sendable, Codable { case h264 }

    public var codec: Codec
    /// libx264's constant rate factor, 0...51.
    public var constantRateFactor: Double
    /// A libx264 preset name.
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

/// Settings of the mix and of the sound's encoder (AAC-LC).
public struct AudioEncodeSettings: Hashable, Sendable, Codable {
    /// Bits per second.
    public var bitrate: Int
    /// Samples per second.
    public var sampleRate: Int
    public var channels: Int

    public init(bitrate: Int, sampleRate: Int, channels: Int) {
        self.bitrate = bitrate
        self.sampleRate = sampleRate
        self.channels = channels
    }
}

/// Settings of the file.
public struct ContainerSettings: Hashable, Sendable, Codable {
    public enum FileType: String, CaseIterable, Hashable, Sendable, Codable { case mp4, mov }

    public var fileType: FileType
    /// `moov` before `mdat`, so that playing can start before the download ends.
    public var optimizeForNetworkUse: Bool
    /// Written as container tags.
    public var metadata: [String: String]

    public init(fileType: FileType, optimizeForNetworkUse: Bool, metadata: [String: String]) {
        self.fileType = fileType
        self.optimizeForNetworkUse = optimizeForNetworkUse
        self.metadata = metadata
    }
}
