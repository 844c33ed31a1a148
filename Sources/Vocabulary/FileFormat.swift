/// A kind of file that an export may be.
public enum FileType: String, CaseIterable, Hashable, Sendable, Codable {
    case mp4, mov, webm, mkv
    /// Sound alone.
    case m4a, wav, mp3, flac, ogg
    /// Pictures alone, which play over and over.
    case gif, webp

    public var hasPicture: Bool { ![.m4a, .wav, .mp3, .flac, .ogg].contains(self) }

    /// Whether it is a picture that moves: without sound, subtitles or chapters.
    public var isAnimation: Bool { self == .gif || self == .webp }

    /// Whether it can show a part of the pictures that it holds.
    public var hasEditLists: Bool { self == .mp4 || self == .mov }
}

/// How a picture is stored.
public enum VideoCodec: String, CaseIterable, Hashable, Sendable, Codable {
    case h264, hevc, vp9, av1, prores
    /// Animated pictures, each in a file of its own kind.
    case gif, webp
}

/// What a stream of H.264 makes use of (ITU-T H.264, annex A), from what the simplest players can do upwards.
public enum VideoProfile: String, CaseIterable, Hashable, Sendable, Codable { case baseline, main, high }

/// How sound is stored.
public enum AudioCodec: String, CaseIterable, Hashable, Sendable, Codable {
    /// AAC-LC.
    case aac
    case opus, mp3, flac
    /// 16-bit PCM, little endian.
    case pcm
}
