import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// Export settings with every default decided.
struct OutputFormat {
    /// Nil of a file without a picture, and of pictures that are copied.
    var video: VideoEncodeSettings?
    /// What the pictures may take, in bits per second; nil where a quality is wanted.
    var videoBitrate: Int?
    /// Nil of a file that cannot sound.
    var audio: AudioEncodeSettings?
    /// Whether anything of it was asked for: then sound is not copied.
    var isSoundChosen: Bool
    var container: ContainerSettings
    /// Nil leaves the mix as it is.
    var mastering: Mastering?

    init(settings: ExportSettings, draft: Draft, frameRate: FrameRate) {
        video = settings.videoEncoding(frameRate)
        videoBitrate = video == nil ? nil : settings.videoBitrate
        audio = settings.audioCodec.map { codec in
            AudioEncodeSettings(
                codec: codec, bitrate: settings.audioBitrate ?? 128_000,
                sampleRate: settings.sampleRate ?? codec.usualSampleRate, channels: settings.channels ?? 2)
        }
        isSoundChosen = settings.audioBitrate != nil || settings.sampleRate != nil || settings.channels != nil
        mastering = draft.audio.flatMap(Mastering.init)
        var tags = draft.metadata ?? [:]
        if let title = draft.title { tags["title"] = title }
        if let time = draft.creationTime { tags["creation_time"] = time }
        container = ContainerSettings(
            fileType: settings.decidedFileType,
            optimizeForNetworkUse: settings.optimizeForNetworkUse ?? true, metadata: tags)
    }
}

extension ExportSettings {
    /// Nil of a file without a picture, and of pictures that are copied.
    func videoEncoding(_ frameRate: FrameRate) -> VideoEncodeSettings? {
        let interval = maxKeyframeInterval ?? Rational(2)
        return decidedVideoCodec.map { codec in
            VideoEncodeSettings(
                codec: codec, rate: codec.rate(self), speed: (encoderSpeed ?? .medium).rawValue,
                maxKeyframeInterval: max(1, (interval * frameRate.framesPerSecond).rounded), profile: profile)
        }
    }
}

extension Mastering {
    /// - Returns: nil where nothing is wanted. What is brought to a loudness is kept below a true peak, too: -1 dBTP, as EBU R 128 has it.
    fileprivate init?(_ audio: DraftAudio) {
        guard audio.loudness != nil || audio.limiter == true else { return nil }
        self.init(loudness: audio.loudness, truePeak: audio.truePeak ?? -1)
    }
}

extension ExportSettings.Preset {
    /// The quality that a preset's name promises.
    enum Grade { case highest, high, medium, low }

    var grade: Grade {
        switch self {
        case .highestQuality, .proRes422, .m4a, .gif, .passthrough: .highest
        case .mediumQuality: .medium
        case .lowQuality: .low
        case .size640x480, .size960x540, .size1280x720, .size1920x1080, .size3840x2160, .hevc1920x1080, .hevc3840x2160: .high
        }
    }

    /// The box that the film is scaled down into, landscape; nil keeps the draft's size.
    var box: FrameSize? {
        switch self {
        case .highestQuality, .mediumQuality, .lowQuality, .proRes422, .m4a, .passthrough: nil
        case .gif: FrameSize(width: 480, height: 480)
        case .size640x480: FrameSize(width: 640, height: 480)
        case .size960x540: FrameSize(width: 960, height: 540)
        case .size1280x720: FrameSize(width: 1280, height: 720)
        case .size1920x1080, .hevc1920x1080: FrameSize(width: 1920, height: 1080)
        case .size3840x2160, .hevc3840x2160: FrameSize(width: 3840, height: 2160)
        }
    }
}

extension VideoCodec {
    fileprivate func rate(_ settings: ExportSettings) -> VideoRate {
        guard self != .prores, self != .gif else { return .fixed }
        let preset = settings.preset ?? .highestQuality
        return .quality(constantRateFactor: settings.videoQuality ?? constantRateFactor(preset.grade))
    }

    /// Scales of encoders differ: these look about alike.
    fileprivate func constantRateFactor(_ grade: ExportSettings.Preset.Grade) -> Double {
        let values: [Double] =
            switch self {
            case .h264: [18, 20, 23, 28]
            case .hevc: [20, 22, 26, 31]
            case .vp9, .av1: [24, 28, 33, 42]
            case .webp: [16, 20, 28, 36]
            case .prores, .gif: [0, 0, 0, 0]
            }
        switch grade {
        case .highest: return values[0]
        case .high: return values[1]
        case .medium: return values[2]
        case .low: return values[3]
        }
    }
}

/// The size that the draft is described in, the size that is rendered, and the frame rate.
struct PictureFormat {
    /// `videoSize`: what the draft's pixels are measured in.
    var videoSize: FrameSize
    /// What is rendered: `videoSize`, or smaller by the preset.
    var canvas: FrameSize
    var frameRate: FrameRate

    /// Canvas pixels per `videoSize` pixel, across and down.
    var scale: (x: Rational, y: Rational) {
        (Rational(canvas.width) / Rational(videoSize.width), Rational(canvas.height) / Rational(videoSize.height))
    }
}

/// Decides size and rate: the draft's own, else those of the first clip that has a picture.
func decideFormat(
    _ draft: Draft, settings: ExportSettings, timeline: Timeline?, _ diagnostics: inout Diagnostics
) -> PictureFormat? {
    let pictures = timeline?.clips.compactMap(\.facts.video) ?? []
    let size =
        draft.videoSize.map { FrameSize(width: $0.width, height: $0.height) }
        ?? pictures.first.map { defaultSize($0.displaySize) }
    guard let size = size ?? (settings.decidedFileType.hasPicture ? nil : FrameSize(width: 16, height: 16)) else {
        if timeline != nil, !diagnostics.isFaulty("videoSize") {
            diagnostics.report("videoSize", .missingField, "is required, because no clip has a picture to take it from")
        }
        return nil
    }
    let moving = pictures.first { !$0.isStill }
    let rate = settings.decidedFileType.shown(draft.frameRate ?? moving.map { bounded($0.frameRate) } ?? FrameRate(30))
    let canvas = settings.preset?.box.map { shrink(size, into: $0) } ?? size
    return PictureFormat(videoSize: size, canvas: canvas, frameRate: rate)
}

/// A source's size as a film's: even, 16...8192, aspect kept.
private func defaultSize(_ size: FrameSize) -> FrameSize {
    let limit = Rational(8192)
    let factor = min(.one, limit / Rational(max(size.width, size.height)))
    func even(_ length: Int) -> Int { max(16, (Rational(length) * factor / Rational(2)).rounded * 2) }
    return FrameSize(width: even(size.width), height: even(size.height))
}

/// Fits `size` into a preset's box, turned to the picture's own orientation; never enlarges.
private func shrink(_ size: FrameSize, into box: FrameSize) -> FrameSize {
    let turned = size.height > size.width ? FrameSize(width: box.height, height: box.width) : box
    let factor = min(
        .one, min(Rational(turned.width) / Rational(size.width), Rational(turned.height) / Rational(size.height)))
    func even(_ length: Int) -> Int { max(16, (Rational(length) * factor / Rational(2)).rounded * 2) }
    return FrameSize(width: even(size.width), height: even(size.height))
}

extension FileType {
    /// The rate at which a film is shown: every second frame of it, or every fourth, where a GIF's clock, which counts hundredths of a second
    /// and which players do not trust below two of them, cannot follow.
    fileprivate func shown(_ rate: FrameRate) -> FrameRate {
        guard self == .gif, rate.framesPerSecond > Rational(50) else { return rate }
        return FrameRate(rate.framesPerSecond / Rational(2)).map(shown) ?? FrameRate(30)
    }
}

/// A source's rate as a film's: 1...240 frames per second.
private func bounded(_ rate: FrameRate) -> FrameRate {
    let clamped = min(max(rate.framesPerSecond, .one), Rational(240))
    return FrameRate(clamped) ?? FrameRate(30)
}
