import CFFmpeg
import ExportPlan
import Vocabulary

extension ContainerFormat {
    /// The codec tag that players expect; 0 leaves the choice to libavformat.
    func tag(of codec: AVCodecID) -> UInt32 {
        guard let codec = VideoCodec(rawValue: String(cString: avcodec_get_name(codec))), let tag = codecTags[codec] else {
            return 0
        }
        return tag.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension VideoCodecFormat.Pixels {
    var libav: AVPixelFormat { av_get_pix_fmt(rawValue) }

    /// The format of the pictures that are passed to the encoder. Pictures with a palette are converted from colours
    /// within `VideoEncoder`.
    var picture: VideoFrame.Format {
        switch self {
        case .yuv420: .yuv420
        case .yuv420p10: .yuv420p10
        case .yuv422p10: .yuv422p10
        case .yuva420: .yuva420
        case .yuva444p10: .yuva444p10
        case .palette, .bgra: .bgra
        // Pictures that get a file of their own are converted from colours (`StillEncoder`).
        case .rgba, .rgb24, .yuvj420: .rgba
        }
    }
}

extension AudioCodecFormat.Samples {
    var libav: AVSampleFormat { av_get_sample_fmt(rawValue) }
}
