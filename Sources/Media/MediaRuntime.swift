import CFFmpeg

/// What is installed, and how the processor is used.
public enum MediaRuntime {
    /// Sound is decoded, mixed and encoded in floating point, whose last bit differs between vector units. Every
    /// x86-64 machine of the farm has these, so a process that works on sound uses no others.
    public static func pinVectorUnit() {
        #if arch(x86_64)
            av_force_cpu_flags(
                AV_CPU_FLAG_MMX | AV_CPU_FLAG_MMXEXT | AV_CPU_FLAG_CMOV | AV_CPU_FLAG_SSE | AV_CPU_FLAG_SSE2)
        #endif
    }

    /// Uses everything the processor has, for work that is bit-exact by itself.
    public static func useWholeProcessor() {
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

    /// Gives memory that codecs have freed back to the system: a process that renders many segments stays as small as for
    /// its first.
    public static func returnFreedMemory() {
        malloc_trim(0)
    }

    /// Lets the libraries print their next warnings and errors, this many lines of them, to standard error.
    public static func printWarnings(lines: Int) { LibavLog.print(lines: lines) }

    /// Names and versions of the libraries in use.
    public static var versions: [(name: String, version: String)] {
        [
            ("libavformat", avformat_version()), ("libavcodec", avcodec_version()), ("libavutil", avutil_version()),
            ("libswscale", swscale_version()), ("libswresample", swresample_version()),
        ].map { name, version in (name, "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)") }
    }

    public static func hasEncoder(_ name: String) -> Bool { avcodec_find_encoder_by_name(name) != nil }
    public static func hasDecoder(_ name: String) -> Bool { avcodec_find_decoder_by_name(name) != nil }
}
