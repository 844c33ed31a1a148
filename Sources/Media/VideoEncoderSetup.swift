import CFFmpeg
import ExportPlan
import Vocabulary

/// What an encoder has to be told so that segments encoded apart can be joined by copying packets, and have the same bytes
/// everywhere: one thread, closed groups of pictures, a keyframe first, headers that depend on no picture.
struct VideoEncoderSetup {
    /// libavcodec's name.
    var name: String
    /// The encoder's private options.
    var options: [(String, String)]
    var pixelFormat = AV_PIX_FMT_YUV420P
    /// What pictures are turned into before; nil where they are encoded as they are composed.
    var format: VideoFrame.Format?
    /// Whether the encoder reads the colour tags of each picture and not its own: FFmpeg's ProRes encoder writes those of the picture into
    /// every frame header.
    var tagsPictures = false
    /// Bits per second; 0 where a quality is wanted.
    var bitrate = 0
    /// Whether a tick of its clock is a frame: what it writes has to be counted in frames until the film's own times are known.
    var countsFrames = false
    /// Of libavcodec, for the passes.
    var flags: Int32 = 0
    /// A file of what the first pass of libvpx has found out.
    var statisticsInput: String?

    /// - Parameter level: ten times the one that the stream has to name; nil leaves it to the encoder.
    init(_ settings: VideoEncodeSettings, _ size: FrameSize, level: Int?, _ pass: VideoPass) {
        let interval = settings.maxKeyframeInterval
        let lookahead = VideoEncoder.lookahead(settings.speed, size)
        var passParameters = ""
        switch settings.codec {
        case .h264:
            name = "libx264"
            options = [
                ("preset", settings.speed),
                (
                    "x264-params",
                    "stitchable=1:open-gop=0:keyint=\(interval):threads=1:lookahead-threads=1:"
                        + "rc-lookahead=\(lookahead)\(VideoEncoder.vectorUnit(size))"
                        // The last of the numbers that there are for parameter sets: encoders begin with the first.
                        + (settings.standsBetweenOthers == true ? ":sps-id=31" : "")
                ),
            ]
            if let profile = settings.profile { options.append(("profile", profile.rawValue)) }
            // Its longest motion vectors hang on the level, too.
            if let level { options.append(("level", "\(level / 10).\(level % 10)")) }
            if let statistics = pass.statistics { options.append(("stats", statistics)) }
            flags = pass.flag
        case .hevc:
            name = "libx265"
            switch pass {
            case .only: break
            case .first(let statistics): passParameters = ":pass=1:stats=\(escaped(statistics))"
            // Of the high tier it would make use by the bitrate of the segment.
            case .second(_, let statistics): passParameters = ":high-tier=0:pass=2:stats=\(escaped(statistics))"
            }
            options = [
                ("preset", settings.speed),
                (
                    "x265-params",
                    "pools=none:frame-threads=1:wpp=0:open-gop=0:keyint=\(interval):min-keyint=1:repeat-headers=0:info=0:"
                        + "rc-lookahead=\(max(lookahead, 8)):log-level=error" + passParameters
                ),
            ]
        case .vp9:
            name = "libvpx-vp9"
            let speeds = ["medium": "2", "slow": "1", "slower": "0", "veryslow": "0", "placebo": "0", "fast": "3", "faster": "4"]
            options = [
                ("deadline", "good"), ("cpu-used", speeds[settings.speed] ?? "5"), ("row-mt", "0"), ("tile-columns", "0"),
                ("frame-parallel", "0"), ("auto-alt-ref", "1"), ("lag-in-frames", "25"),
            ]
            flags = pass.flag
            if case .second(_, let statistics) = pass { statisticsInput = statistics }
        case .av1:
            name = "libsvtav1"
            let speeds = [
                "ultrafast": "12", "superfast": "11", "veryfast": "10", "faster": "9", "fast": "8", "medium": "7", "slow": "5",
                "slower": "4", "veryslow": "3", "placebo": "2",
            ]
            options = [
                ("preset", speeds[settings.speed] ?? "7"), ("svtav1-params", "lp=1:irefresh-type=2:scd=0"),
            ]
        case .prores:
            name = "prores_ks"
            options = [("profile", "standard"), ("vendor", "apl0")]
            pixelFormat = AV_PIX_FMT_YUV422P10LE
            format = .yuv422p10
            tagsPictures = true
        case .gif:
            name = "gif"
            options = []
            pixelFormat = AV_PIX_FMT_PAL8
            format = .bgra
        case .webp:
            name = "libwebp_anim"
            let methods = ["ultrafast": "0", "superfast": "1", "veryfast": "2", "faster": "3", "slow": "5", "slower": "6"]
            options = [("compression_level", methods[settings.speed] ?? (settings.speed.hasPrefix("very") ? "6" : "4"))]
            pixelFormat = AV_PIX_FMT_BGRA
            format = .bgra
            countsFrames = true
        }
        if let color = settings.color { keep(color, settings) }
        if case .second(let wanted, _) = pass {
            bitrate = wanted
        } else if case .quality(let factor) = settings.rate {
            options.append(settings.codec.qualityOption(factor))
            // libvpx takes a factor for a limit of its own default bitrate.
            if settings.codec == .vp9 { options.append(("b", "0")) }
        }
    }
}

extension VideoCodec {
    /// An encoder's name for a quality, and how it counts it.
    fileprivate func qualityOption(_ factor: Double) -> (String, String) {
        switch self {
        case .av1: ("crf", "\(Int(factor.rounded()))")
        // libwebp counts from 0, the worst, to 100.
        case .webp: ("quality", "\(max(0, 100 - factor * 1.25))")
        case .h264, .hevc, .vp9, .prores, .gif: ("crf", "\(factor)")
        }
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

/// As a value among an encoder's parameters, where `:` ends it.
private func escaped(_ value: String) -> String {
    value.reduce(into: "") { text, character in
        if #"\':"#.contains(character) { text.append("\\") }
        text.append(character)
    }
}
