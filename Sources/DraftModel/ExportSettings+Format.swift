public import Vocabulary

/// What goes into which file.
extension ExportSettings {
    /// The file's type: as it is said, or what preset and codec want.
    public var decidedFileType: FileType {
        if let fileType { return fileType }
        if preset == .m4a { return .m4a }
        if preset == .gif { return .gif }
        switch videoCodec {
        case .prores: return .mov
        case .vp9: return .webm
        case .gif: return .gif
        case .webp: return .webp
        case .h264, .hevc, .av1, nil: return preset == .proRes422 ? .mov : .mp4
        }
    }

    /// The picture's codec: as it is said, or what preset and file type want; nil of a file without a picture, and of pictures that are
    /// copied.
    public var decidedVideoCodec: VideoCodec? {
        guard decidedFileType.hasPicture, preset != .passthrough else { return nil }
        if let videoCodec { return videoCodec }
        switch preset {
        case .hevc1920x1080, .hevc3840x2160: return .hevc
        case .proRes422: return .prores
        default: break
        }
        switch decidedFileType {
        case .webm: return .vp9
        case .gif: return .gif
        case .webp: return .webp
        default: return colorRange == .hdr ? .hevc : .h264
        }
    }

    /// What a player of the file expects to hear; nil of a file that cannot sound.
    public var audioCodec: AudioCodec? { decidedFileType.audioCodec }

    func checkFormat(_ reader: inout ObjectReader) {
        checkSound(&reader)
        guard preset != .passthrough else { return checkCopying(&reader) }
        let type = decidedFileType
        if type.hasPicture, let codec = decidedVideoCodec, !type.pictureCodecs.contains(codec) {
            let place = videoCodec != nil ? "videoCodec" : fileType != nil ? "fileType" : "preset"
            let names = type.pictureCodecs.map(\.rawValue).joined(separator: ", ")
            reader.report(place, .conflict, "a \(type.rawValue) file cannot hold \(codec.rawValue); it can hold \(names)")
        }
        if !type.hasPicture, let videoCodec {
            reader.report(
                "videoCodec", .conflict, "\(videoCodec.rawValue) does not go into a \(type.rawValue) file, which is sound alone")
        }
        checkRate(&reader)
        checkColors(&reader)
    }

    private func checkCopying(_ reader: inout ObjectReader) {
        let settings = [
            ("videoCodec", videoCodec != nil), ("videoQuality", videoQuality != nil), ("videoBitrate", videoBitrate != nil),
            ("encoderSpeed", encoderSpeed != nil), ("maxKeyframeInterval", maxKeyframeInterval != nil),
            ("colorRange", colorRange != nil), ("profile", profile != nil),
        ]
        for (name, isSet) in settings where isSet {
            reader.report(name, .conflict, "is nothing to passthrough, which copies the pictures as they are; leave it out")
        }
        if ![.mp4, .mov, .mkv, .webm].contains(decidedFileType) {
            reader.report("fileType", .conflict, "must be mp4, mov, mkv or webm for passthrough, which copies pictures of films")
        }
    }

    private func checkRate(_ reader: inout ObjectReader) {
        let settings = [("videoQuality", videoQuality != nil), ("videoBitrate", videoBitrate != nil)].filter(\.1).map(\.0)
        switch decidedVideoCodec {
        case nil:
            for name in settings + (colorRange == nil ? [] : ["colorRange"]) {
                reader.report(name, .conflict, "is nothing to a \(decidedFileType.rawValue) file, which is sound alone")
            }
        case .prores: for name in settings { reader.report(name, .conflict, "is nothing that ProRes can choose") }
        case .gif: for name in settings { reader.report(name, .conflict, "is nothing that GIF can choose") }
        case .webp where videoBitrate != nil:
            reader.report("videoBitrate", .conflict, "is nothing that an animated WebP can be held to; give a videoQuality")
        default:
            if settings.count == 2 {
                reader.report("videoBitrate", .conflict, "is decided by videoQuality already; give one of them")
            }
        }
        if let quality = videoQuality, quality > 51, [.h264, .hevc].contains(decidedVideoCodec) {
            reader.report("videoQuality", .outOfRange, "must be 0...51 for \(decidedVideoCodec?.rawValue ?? ""), not \(quality)")
        }
        if profile != nil, decidedVideoCodec != .h264 {
            let codec =
                decidedVideoCodec.map { "not of \($0.rawValue)" } ?? "and a \(decidedFileType.rawValue) file is sound alone"
            reader.report("profile", .conflict, "is one of h264, \(codec)")
        }
    }

    private func checkColors(_ reader: inout ObjectReader) {
        guard colorRange == .hdr, let codec = decidedVideoCodec, !VideoCodec.ofTenBits.contains(codec) else { return }
        let type = decidedFileType
        let names = type.pictureCodecs.filter(VideoCodec.ofTenBits.contains).map(\.rawValue).joined(separator: ", ")
        reader.report(
            "colorRange", .conflict,
            "hdr needs 10 bits, and \(codec.rawValue) has 8; "
                + (names.isEmpty ? "write mp4, mov, webm or mkv" : "a \(type.rawValue) file can hold \(names)"))
    }

    private func checkSound(_ reader: inout ObjectReader) {
        guard let audioCodec else {
            let settings = [
                ("audioBitrate", audioBitrate != nil), ("sampleRate", sampleRate != nil), ("channels", channels != nil),
            ]
            for (name, isSet) in settings where isSet {
                reader.report(name, .conflict, "is nothing to a \(decidedFileType.rawValue) file, which cannot sound")
            }
            return
        }
        if let sampleRate, let rates = audioCodec.sampleRates, !rates.contains(sampleRate) {
            let names = rates.map(String.init).joined(separator: ", ")
            reader.report("sampleRate", .invalidValue, "\(sampleRate) is not one that \(audioCodec.name) knows: \(names)")
        }
        if let channels, channels > 2, audioCodec == .mp3 {
            reader.report("channels", .conflict, "MP3 has two at most")
        }
    }
}

extension VideoCodec {
    /// Those whose films may keep the 10 bits of their sources.
    static let ofTenBits: Set<VideoCodec> = [.hevc, .vp9, .av1, .prores]
}

extension AudioCodec {
    var name: String {
        switch self {
        case .aac: "AAC"
        case .opus: "Opus"
        case .mp3: "MP3"
        case .flac: "FLAC"
        case .pcm: "PCM"
        }
    }

    /// What it can have; nil where any will do.
    var sampleRates: [Int]? {
        switch self {
        case .aac: [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000]
        case .opus: [8000, 12000, 16000, 24000, 48000]
        case .mp3: [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]
        case .flac, .pcm: nil
        }
    }

    public var usualSampleRate: Int { self == .opus ? 48_000 : 44_100 }
}

extension FileType {
    /// Whether there is a place for a picture that players show for the file.
    public var holdsCover: Bool { [.mp4, .m4a, .mp3, .flac].contains(self) }

    /// Whether there is a place for captions that players show over the pictures.
    public var holdsSubtitles: Bool { [.mp4, .mov, .webm, .mkv].contains(self) }

    public var holdsChapters: Bool { self != .wav && !isAnimation }

    var pictureCodecs: [VideoCodec] {
        switch self {
        case .mp4: [.h264, .hevc, .av1, .vp9]
        case .mov: [.h264, .hevc, .prores]
        case .webm: [.vp9, .av1]
        case .mkv: [.h264, .hevc, .vp9, .av1]
        case .m4a, .wav, .mp3, .flac, .ogg: []
        case .gif: [.gif]
        case .webp: [.webp]
        }
    }

    var audioCodec: AudioCodec? {
        switch self {
        case .mp4, .mov, .m4a: .aac
        case .webm, .mkv, .ogg: .opus
        case .wav: .pcm
        case .mp3: .mp3
        case .flac: .flac
        case .gif, .webp: nil
        }
    }
}
