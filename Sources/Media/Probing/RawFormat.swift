import CFFmpeg
package import ExactTime
package import ExportPlan

/// The layout of raw media, which have no header that describes it.
package enum RawFormat: Hashable, Sendable {
    /// Whole pictures one after the other, without padding.
    /// - pixelFormat: libavutil's name.
    case pictures(size: FrameSize, rate: FrameRate, pixelFormat: String)
    /// Interleaved samples.
    /// - encoding: `s16le` or `f32le`.
    case sound(sampleRate: Int, channels: Int, encoding: String)

    /// The demuxer's name in libavformat.
    var demuxer: String {
        switch self {
        case .pictures: "rawvideo"
        case .sound(_, _, let encoding): encoding
        }
    }

    var options: [(String, String)] {
        switch self {
        case .pictures(let size, let rate, let format):
            [("video_size", "\(size)"), ("framerate", "\(rate)"), ("pixel_format", format)]
        case .sound(let rate, let channels, _): [("sample_rate", "\(rate)"), ("channels", "\(channels)")]
        }
    }

    /// The size of a whole packet in bytes; a shorter packet was cut off. Zero if packets have any size.
    var packetSize: Int {
        guard case .pictures(let size, _, let format) = self else { return 0 }
        return max(0, Int(av_image_get_buffer_size(av_get_pix_fmt(format), Int32(size.width), Int32(size.height), 1)))
    }
}

extension RawFormat {
    /// Parses `WIDTHxHEIGHT@RATE:PIXELFORMAT`, as in `640x480@30:yuv420p`.
    /// - Returns: nil if the text has another form, or names a pixel format that raw files cannot have.
    package init?(pictures text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let picture = parts[0].split(separator: "@", omittingEmptySubsequences: false)
        let sides = picture[0].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard picture.count == 2, sides.count == 2, let width = sides[0], let height = sides[1],
            (1...16_384).contains(width), (1...16_384).contains(height),
            let rate = Rational(text: picture[1]), rate <= Rational(240), let rate = FrameRate(rate),
            case let format = av_get_pix_fmt(String(parts[1])), format != AV_PIX_FMT_NONE,
            avcodec_pix_fmt_to_codec_tag(format) != 0
        else { return nil }
        self = .pictures(size: FrameSize(width: width, height: height), rate: rate, pixelFormat: String(parts[1]))
    }

    /// Parses `RATE:CHANNELS:ENCODING`, as in `48000:2:s16le`.
    /// - Returns: nil if the text has another form.
    package init?(sound text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let rate = Int(parts[0]), (8000...192_000).contains(rate), let channels = Int(parts[1]),
            (1...8).contains(channels), ["s16le", "f32le"].contains(parts[2])
        else { return nil }
        self = .sound(sampleRate: rate, channels: channels, encoding: String(parts[2]))
    }
}
