import CFFmpeg
import CHeif
import CWebP

/// The installed media libraries, and the processor features that they may use.
package enum MediaRuntime {
    /// Restricts libav to SSE2. Sound is decoded, mixed and encoded in floating point, whose last bit differs between
    /// vector units. Every x86-64 machine has SSE2, so a process that works on sound gives the same bytes on every
    /// machine.
    package static func pinVectorUnit() {
        #if arch(x86_64)
            av_force_cpu_flags(
                AV_CPU_FLAG_MMX | AV_CPU_FLAG_MMXEXT | AV_CPU_FLAG_CMOV | AV_CPU_FLAG_SSE | AV_CPU_FLAG_SSE2)
        #endif
    }

    /// Lets libav use all features of the processor, for work whose results do not depend on them.
    package static func useWholeProcessor() {
        av_force_cpu_flags(-1)
    }

    /// Whether libav and libx264 would use AVX-512 here.
    static let hasAVX512: Bool = {
        #if arch(x86_64)
            return av_get_cpu_flags() & AV_CPU_FLAG_AVX512 != 0
        #else
            return false
        #endif
    }()

    /// Returns memory that codecs have freed to the system, so that a process that renders many segments stays as small
    /// as for its first one.
    package static func returnFreedMemory() {
        malloc_trim(0)
    }

    /// Lets the libraries print their next `lines` lines of warnings and errors to standard error.
    package static func printWarnings(lines: Int) { LibavLog.print(lines: lines) }

    /// The names and versions of the libraries in use.
    package static var versions: [(name: String, version: String)] {
        [
            ("libavformat", avformat_version()), ("libavcodec", avcodec_version()), ("libavfilter", avfilter_version()),
            ("libavutil", avutil_version()), ("libswscale", swscale_version()), ("libswresample", swresample_version()),
            ("libwebp", UInt32(WebPGetDecoderVersion())),
        ].map { name, version in (name, "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)") }
            + [("libheif", String(cString: heif_get_version())), ("liblcms2", ColorProfile.libraryVersion)]
    }

    package static func hasEncoder(_ name: String) -> Bool { avcodec_find_encoder_by_name(name) != nil }
    package static func hasMuxer(_ name: String) -> Bool { av_guess_format(name, nil, nil) != nil }
    package static func hasDecoder(_ name: String) -> Bool { avcodec_find_decoder_by_name(name) != nil }
}
