import CFFmpeg
import ExportPlan
import Vocabulary

/// The encoder settings with which independently encoded segments can be joined by copying packets and have the same
/// bytes on every machine: a fixed number of threads, closed groups of pictures, a keyframe first, and headers that
/// depend on no picture.
struct VideoEncoderSetup {
    /// The encoder's name in libavcodec.
    var name: String
    /// The encoder's private options.
    var options: [(String, String)]
    var pixelFormat: AVPixelFormat
    /// The format that pictures are converted to before encoding; nil if they are encoded as they are composed.
    var format: VideoFrame.Format?
    /// Whether the encoder takes the colour tags from each picture; see `VideoCodecFormat`.
    var tagsEachPicture: Bool
    /// The bitrate in bits per second; 0 if a quality is requested.
    var bitrate = 0
    /// Whether one tick of the encoder's clock is one frame; see `VideoCodecFormat`.
    var countsFrames: Bool
    /// libavcodec's flags for the pass.
    var flags: Int32 = 0
    /// The file with the statistics of libvpx's first pass.
    var statisticsInput: String?

    /// - Parameter level: ten times the level that the stream has to declare; nil leaves it to the encoder.
    init(_ settings: VideoEncodeSettings, _ size: FrameSize, level: Int?, _ pass: VideoPass) {
        let codec = settings.codec.format
        name = codec.encoder
        options = codec.options.map { ($0.name, $0.text(forSpeed: settings.speed)) }
        pixelFormat = codec.pixels.libav
        // Pictures are composed in 4:2:0.
        format = codec.pixels == .yuv420 ? nil : codec.pixels.picture
        tagsEachPicture = codec.tagsEachPicture
        countsFrames = codec.countsFrames
        switch settings.codec {
        case .h264: addParametersOfH264(settings, size, level: level, pass)
        case .hevc: addParametersOfHEVC(settings, size, pass)
        case .vp9:
            flags = pass.flag
            if case .second(_, let statistics) = pass { statisticsInput = statistics }
        case .av1, .prores, .gif, .webp, .png, .mjpeg, .tiff, .rawvideo: break
        }
        if settings.keyframeSpacing != nil { options.append(("forced-idr", "1")) }
        if let color = settings.color { keep(color, settings) }
        if settings.alpha == true, let transparency = codec.transparency { keepTransparency(transparency, settings) }
        if case .second(let wanted, _) = pass {
            bitrate = wanted
        } else if case .quality(let factor) = settings.rate, let scale = codec.quality {
            options.append((scale.option, scale.text(factor)))
            options += scale.furtherOptions.map { ($0.name, $0.text(forSpeed: settings.speed)) }
        }
    }

    /// Transparent pictures come from the compositor as the encoder takes them.
    private mutating func keepTransparency(_ transparency: VideoCodecFormat.Transparency, _ settings: VideoEncodeSettings) {
        pixelFormat = transparency.pixels.libav
        format = nil
        for option in transparency.options {
            options.removeAll { $0.0 == option.name }
            options.append((option.name, option.text(forSpeed: settings.speed)))
        }
    }

    private mutating func addParametersOfH264(
        _ settings: VideoEncodeSettings, _ size: FrameSize, level: Int?, _ pass: VideoPass
    ) {
        options.append(
            (
                "x264-params",
                "stitchable=1:open-gop=0:keyint=\(settings.maxKeyframeInterval):threads=\(EncoderPreset.threads):"
                    // A lookahead of its own thread would keep more pictures.
                    + "lookahead-threads=1:sync-lookahead=0:"
                    + "rc-lookahead=\(EncoderPreset.lookahead(.h264, settings.speed, size))\(VideoEncoder.vectorUnit(size))"
                    + (EncoderPreset.withoutCostlyAnalysis.contains(settings.speed)
                        ? ":mixed-refs=0:partitions=p8x8,i8x8,i4x4" : "")
                    // Uses the last possible parameter set identifier, because other encoders begin with the first.
                    + (settings.standsBetweenOthers == true ? ":sps-id=31" : "")
            ))
        if let profile = settings.profile { options.append(("profile", profile.rawValue)) }
        // The level also limits the length of libx264's motion vectors.
        if let level { options.append(("level", "\(level / 10).\(level % 10)")) }
        if let statistics = pass.statistics { options.append(("stats", statistics)) }
        flags = pass.flag
    }

    private mutating func addParametersOfHEVC(_ settings: VideoEncodeSettings, _ size: FrameSize, _ pass: VideoPass) {
        let passParameters =
            switch pass {
            case .only: ""
            case .first(let statistics): ":pass=1:stats=\(escaped(statistics))"
            // x265 would switch to the high tier depending on the bitrate of the segment.
            case .second(_, let statistics): ":high-tier=0:pass=2:stats=\(escaped(statistics))"
            }
        let lookahead = EncoderPreset.lookahead(.hevc, settings.speed, size)
        // x265 meets a number of bits better when it knows the size of each picture before it begins the next.
        let threads = if case .only = pass { EncoderPreset.threads } else { 1 }
        options.append(
            (
                "x265-params",
                "pools=none:frame-threads=\(threads):wpp=0:open-gop=0:"
                    + "keyint=\(settings.maxKeyframeInterval):min-keyint=1:"
                    + "repeat-headers=0:info=0:rc-lookahead=\(lookahead):log-level=error" + passParameters
            ))
    }
}

extension VideoPass {
    fileprivate var statistics: String? {
        switch self {
        case .only: nil
        case .first(let statistics), .second(_, let statistics): statistics
        }
    }

    fileprivate var flag: Int32 {
        switch self {
        case .only: 0
        case .first: AV_CODEC_FLAG_PASS1
        case .second: AV_CODEC_FLAG_PASS2
        }
    }
}

/// Escapes a value for an encoder's parameter list, in which `:` ends a value.
private func escaped(_ value: String) -> String {
    value.reduce(into: "") { text, character in
        if #"\':"#.contains(character) { text.append("\\") }
        text.append(character)
    }
}
