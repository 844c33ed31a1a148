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

    init(_ settings: VideoEncodeSettings, _ size: FrameSize) {
        let quality = ("crf", "\(settings.constantRateFactor)")
        let interval = settings.maxKeyframeInterval
        let lookahead = VideoEncoder.lookahead(settings.speed, size)
        switch settings.codec {
        case .h264:
            name = "libx264"
            options = [
                ("preset", settings.speed), quality,
                (
                    "x264-params",
                    "stitchable=1:open-gop=0:keyint=\(interval):threads=1:lookahead-threads=1:"
                        + "rc-lookahead=\(lookahead)\(VideoEncoder.vectorUnit(size))"
                ),
            ]
        case .hevc:
            name = "libx265"
            options = [
                ("preset", settings.speed), quality,
                (
                    "x265-params",
                    "pools=none:frame-threads=1:wpp=0:open-gop=0:keyint=\(interval):min-keyint=1:repeat-headers=0:info=0:"
                        + "rc-lookahead=\(max(lookahead, 8)):log-level=error"
                ),
            ]
        case .vp9:
            name = "libvpx-vp9"
            let speeds = ["medium": "2", "slow": "1", "slower": "0", "veryslow": "0", "placebo": "0", "fast": "3", "faster": "4"]
            options = [
                quality, ("b", "0"), ("deadline", "good"), ("cpu-used", speeds[settings.speed] ?? "5"), ("row-mt", "0"),
                ("tile-columns", "0"), ("frame-parallel", "0"), ("auto-alt-ref", "1"), ("lag-in-frames", "25"),
            ]
        case .av1:
            name = "libsvtav1"
            let speeds = [
                "ultrafast": "12", "superfast": "11", "veryfast": "10", "faster": "9", "fast": "8", "medium": "7", "slow": "5",
                "slower": "4", "veryslow": "3", "placebo": "2",
            ]
            options = [
                ("crf", "\(Int(settings.constantRateFactor.rounded()))"), ("preset", speeds[settings.speed] ?? "7"),
                ("svtav1-params", "lp=1:irefresh-type=2:scd=0"),
            ]
        case .prores:
            name = "prores_ks"
            options = [("profile", "standard"), ("vendor", "apl0")]
            pixelFormat = AV_PIX_FMT_YUV422P10LE
            format = .yuv422p10
        }
    }
}
