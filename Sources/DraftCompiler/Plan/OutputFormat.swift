import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// The export settings with all defaults filled in.
struct OutputFormat {
    /// The video encoder's settings; nil for a file without a picture and for copied pictures.
    var video: VideoEncodeSettings?
    /// The target bitrate of the pictures in bits per second; nil if a quality is requested instead.
    var videoBitrate: Int?
    /// The greatest size of the file in bytes; nil where it does not matter.
    var fileSizeLimit: Int?
    /// The audio encoder's settings; nil for a file type without sound.
    var audio: AudioEncodeSettings?
    /// Whether the settings name a bitrate, sample rate or channel count. Then the sound is not copied.
    var isSoundChosen: Bool
    var container: ContainerSettings
    /// The loudness and limiter settings; nil leaves the mix unchanged.
    var mastering: Mastering?
    /// The filters of the mix; nil where there are none.
    var mixFilters: [SoundFilter]?
    /// The renditions of a stream; nil for other films.
    var stream: StreamPlan?
    /// Whether the plan is that of a preview (`PreviewFormat`).
    var isPreview = false

    /// - Parameter facts: the facts of the plug-ins that filter the mix.
    init(settings: ExportSettings, draft: Draft, frameRate: FrameRate, facts: [String: SourceFacts]) {
        video = settings.videoEncoding(frameRate)
        videoBitrate = video == nil ? nil : settings.videoBitrate
        fileSizeLimit = video == nil ? nil : settings.fileSizeLimit
        audio = settings.audioCodec.map { codec in
            AudioEncodeSettings(
                codec: codec, bitrate: settings.audioBitrate ?? 128_000,
                sampleRate: settings.sampleRate ?? codec.format.usualSampleRate, channels: settings.channels ?? 2)
        }
        isSoundChosen = settings.audioBitrate != nil || settings.sampleRate != nil || settings.channels != nil
        mastering = draft.audio.flatMap(Mastering.init)
        mixFilters = lowerAudioFilters(draft.audio?.audioFilters, facts)
        var tags = draft.metadata ?? [:]
        if let title = draft.title { tags["title"] = title }
        if let time = draft.creationTime { tags["creation_time"] = time }
        container = ContainerSettings(
            fileType: settings.decidedFileType,
            optimizeForNetworkUse: settings.optimizeForNetworkUse ?? true, metadata: tags)
        container.fileSizeLimit = fileSizeLimit
    }
}

extension ExportSettings {
    /// The video encoder's settings; nil for a file without a picture and for copied pictures.
    func videoEncoding(_ frameRate: FrameRate) -> VideoEncodeSettings? {
        // The default of libx264 is 250 frames, which at 25 frames a second are 10 s. Players of streams begin at keyframes.
        let interval = maxKeyframeInterval ?? (isStream ? StreamLadder.keyframeInterval : Rational(10))
        return decidedVideoCodec.map { codec in
            var encode = VideoEncodeSettings(
                codec: codec, rate: codec.rate(self), speed: (encoderSpeed ?? .medium).rawValue,
                maxKeyframeInterval: max(1, (interval * frameRate.framesPerSecond).rounded), profile: profile,
                level: level.map { ($0 * Rational(10)).rounded }, alpha: keepsTransparency ? true : nil)
            encode.composedColor = colorRange?.composed
            encode.stills = decidedFileType == .webpStills ? true : nil
            return encode
        }
    }
}

extension Mastering {
    /// - Returns: nil if neither loudness nor limiter is requested. Loudness always has a true peak limit; its default
    ///   is -1 dBTP, as in EBU R 128.
    fileprivate init?(_ audio: DraftAudio) {
        guard audio.loudness != nil || audio.limiter == true else { return nil }
        self.init(loudness: audio.loudness, truePeak: audio.truePeak ?? -1)
    }
}

extension ExportSettings.Preset {
    /// The quality that a preset stands for.
    var grade: QualityGrade {
        switch self {
        case .highestQuality, .proRes422, .proRes4444, .m4a, .gif, .passthrough: .highest
        case .mediumQuality: .medium
        case .lowQuality: .low
        case .size640x480, .size960x540, .size1280x720, .size1920x1080, .size3840x2160, .hevc1920x1080, .hevc3840x2160: .high
        }
    }

    /// The box that the film is scaled down into, in landscape; nil keeps the draft's size.
    var box: FrameSize? {
        switch self {
        case .highestQuality, .mediumQuality, .lowQuality, .proRes422, .proRes4444, .m4a, .passthrough: nil
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
        guard let scale = format.quality else { return .fixed }
        switch settings.videoQuality ?? .grade((settings.preset ?? .highestQuality).grade) {
        case .factor(let factor): return .quality(constantRateFactor: factor)
        case .grade(let grade): return .quality(constantRateFactor: scale.factor(grade))
        }
    }
}

extension QualityScale {
    fileprivate func factor(_ grade: QualityGrade) -> Double {
        switch grade {
        case .highest: highest
        case .high: high
        case .medium: medium
        case .low: low
        }
    }
}

/// The size that the draft is described in, the size that is rendered, and the frame rate.
struct PictureFormat {
    /// `videoSize`, the unit of the draft's pixels.
    var videoSize: FrameSize
    /// The size that is rendered: `videoSize`, or less if the preset limits it.
    var canvas: FrameSize
    var frameRate: FrameRate

    /// Canvas pixels per `videoSize` pixel, horizontally and vertically.
    var scale: (x: Rational, y: Rational) {
        (Rational(canvas.width) / Rational(videoSize.width), Rational(canvas.height) / Rational(videoSize.height))
    }
}

/// Decides the size and the frame rate: those of the draft, or else those of the first clip with a picture.
func decideFormat(
    _ draft: Draft, settings: ExportSettings, timeline: Timeline?, _ diagnostics: inout Diagnostics
) -> PictureFormat? {
    let pictures = timeline?.clips.compactMap { $0.facts?.video } ?? []
    let size =
        draft.videoSize.map { FrameSize(width: $0.width, height: $0.height) }
        ?? pictures.first.map { defaultSize($0.displaySize) }
    guard let size = size ?? (settings.decidedFileType.format.hasVideo ? nil : FrameSize(width: 16, height: 16)) else {
        if timeline != nil, !diagnostics.isFaulty("videoSize") {
            diagnostics.report("videoSize", .missingField, "is required, because no clip has a picture to take it from")
        }
        return nil
    }
    let moving = pictures.first { !$0.isStill }
    let rate = settings.decidedFileType.format.shown(draft.frameRate ?? moving.map { bounded($0.frameRate) } ?? FrameRate(30))
    let canvas = settings.preset?.box.map { shrink(size, into: $0) } ?? size
    return PictureFormat(videoSize: size, canvas: canvas, frameRate: rate)
}

/// A source's size as a film's size: even, 16...8192, with the aspect ratio kept.
private func defaultSize(_ size: FrameSize) -> FrameSize {
    let limit = Rational(8192)
    let factor = min(.one, limit / Rational(max(size.width, size.height)))
    func even(_ length: Int) -> Int { max(16, (Rational(length) * factor / Rational(2)).rounded * 2) }
    return FrameSize(width: even(size.width), height: even(size.height))
}

/// Fits `size` into a preset's box, which is rotated to the picture's orientation. It never enlarges.
private func shrink(_ size: FrameSize, into box: FrameSize) -> FrameSize {
    let rotated = size.height > size.width ? FrameSize(width: box.height, height: box.width) : box
    let factor = min(
        .one, min(Rational(rotated.width) / Rational(size.width), Rational(rotated.height) / Rational(size.height)))
    func even(_ length: Int) -> Int { max(16, (Rational(length) * factor / Rational(2)).rounded * 2) }
    return FrameSize(width: even(size.width), height: even(size.height))
}

extension ContainerFormat {
    /// The frame rate of the film. Above the highest rate that players show, the film shows every second frame, or every
    /// fourth.
    fileprivate func shown(_ rate: FrameRate) -> FrameRate {
        guard let highestFrameRate, rate.framesPerSecond > Rational(highestFrameRate) else { return rate }
        return FrameRate(rate.framesPerSecond / Rational(2)).map(shown) ?? FrameRate(30)
    }
}

/// A source's rate as a film's rate: 1...240 frames per second.
private func bounded(_ rate: FrameRate) -> FrameRate {
    let clamped = min(max(rate.framesPerSecond, .one), Rational(240))
    return FrameRate(clamped) ?? FrameRate(30)
}

extension ColorRange {
    /// The colours of a film that is composed; nil for BT.709, and for a film that keeps its sources' colours.
    fileprivate var composed: ColorDescription? {
        switch self {
        case .sdr, .bt709, .hdr: nil
        case .bt601: ColorDescription(matrix: .bt601, primaries: .bt709, transfer: .sdr, isFullRange: false)
        case .displayP3: ColorDescription(matrix: .bt709, primaries: .displayP3, transfer: .sdr, isFullRange: false)
        }
    }
}
