public import Vocabulary

/// What goes into which file.
extension ExportSettings {
    /// The file's type: as it is said, or what preset and codec want.
    public var decidedFileType: FileType {
        if let fileType { return fileType }
        if preset == .m4a { return .m4a }
        switch videoCodec {
        case .prores: return .mov
        case .vp9: return .webm
        case .h264, .hevc, .av1, nil: return preset == .proRes422 ? .mov : .mp4
        }
    }

    /// The picture's codec: as it is said, or what preset and file type want; nil of a file without a picture.
    public var decidedVideoCodec: VideoCodec? {
        guard decidedFileType.hasPicture else { return nil }
        if let videoCodec { return videoCodec }
        switch preset {
        case .hevc1920x1080, .hevc3840x2160: return .hevc
        case .proRes422: return .prores
        default: return decidedFileType == .webm ? .vp9 : .h264
        }
    }

    /// What a player of the file expects to hear, and the sample rate that it usually has.
    public var audioCodec: AudioCodec { decidedFileType.audioCodec }

    func checkFormat(_ reader: inout ObjectReader) {
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
        for (name, isSet) in [("videoQuality", videoQuality != nil), ("videoBitrate", videoBitrate != nil)]
        where isSet && !type.hasPicture {
            reader.report(name, .conflict, "is nothing to a \(type.rawValue) file, which is sound alone")
        }
        if let quality = videoQuality, quality > 51, [.h264, .hevc].contains(decidedVideoCodec) {
            reader.report("videoQuality", .outOfRange, "must be 0...51 for \(decidedVideoCodec?.rawValue ?? ""), not \(quality)")
        }
        if profile != nil, decidedVideoCodec != .h264 {
            let codec = decidedVideoCodec.map { "not of \($0.rawValue)" } ?? "and a \(type.rawValue) file is sound alone"
            reader.report("profile", .conflict, "is one of h264, \(codec)")
        }
        if decidedVideoCodec == .prores {
            for (name, isSet) in [("videoQuality", videoQuality != nil), ("videoBitrate", videoBitrate != nil)] where isSet {
                reader.report(name, .conflict, "is nothing that ProRes can choose")
            }
        } else if videoBitrate != nil, videoQuality != nil {
            reader.report("videoBitrate", .conflict, "is decided by videoQuality already; give one of them")
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

    public var holdsChapters: Bool { self != .wav }

    var pictureCodecs: [VideoCodec] {
        switch self {
        case .mp4: [.h264, .hevc, .av1, .vp9]
        case .mov: [.h264, .hevc, .prores]
        case .webm: [.vp9, .av1]
        case .mkv: [.h264, .hevc, .vp9, .av1]
        case .m4a, .wav, .mp3, .flac, .ogg: []
        }
    }

    var audioCodec: AudioCodec {
        switch self {
        case .mp4, .mov, .m4a: .aac
        case .webm, .mkv, .ogg: .opus
        case .wav: .pcm
        case .mp3: .mp3
        case .flac: .flac
        }
    }
}
