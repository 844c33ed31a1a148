import CFFmpeg
import ExportPlan

/// Changes packets and stream parameters without encoding again, by libavcodec's bitstream filters.
enum BitstreamFilter {
    /// - Parameter options: the filter's integer options.
    /// - Returns: a filter that the caller frees with `av_bsf_free`.
    static func open(
        _ name: String, _ parameters: UnsafeMutablePointer<AVCodecParameters>, _ subject: String, options: [String: Int] = [:]
    ) throws(MediaError) -> UnsafeMutablePointer<AVBSFContext> {
        guard let filter = av_bsf_get_by_name(name) else {
            throw MediaError(.missingCodec, subject: name, message: "is not among the filters of the installed FFmpeg")
        }
        var context: UnsafeMutablePointer<AVBSFContext>?
        try LibavResult.check(av_bsf_alloc(filter, &context), subject, "cannot be written", .outOfMemory)
        let made = try LibavResult.allocated(context, subject)
        do throws(MediaError) {
            try LibavResult.check(
                avcodec_parameters_copy(made.pointee.par_in, parameters), subject, "cannot be written", .outOfMemory)
            for (option, value) in options { av_opt_set_int(made.pointee.priv_data, option, Int64(value), 0) }
            try LibavResult.check(av_bsf_init(made), subject, "has parameter sets that cannot be read")
        } catch {
            av_bsf_free(&context)
            throw error
        }
        return made
    }

    /// Writes a level into the parameter sets of an HEVC stream, which are stored only in the header. The level is not
    /// given to x265, which would limit the bitrate by it.
    /// - Parameter level: ten times the level's number.
    static func setLevel(
        _ level: Int, ofHEVC parameters: UnsafeMutablePointer<AVCodecParameters>, _ subject: String
    ) throws(MediaError) {
        // The filter counts levels in thirtieths.
        var filter: UnsafeMutablePointer<AVBSFContext>? = try open(
            "hevc_metadata", parameters, subject, options: ["level": level * 3])
        defer { av_bsf_free(&filter) }
        try LibavResult.check(
            avcodec_parameters_copy(parameters, filter?.pointee.par_out), subject, "cannot be written", .outOfMemory)
    }
}
