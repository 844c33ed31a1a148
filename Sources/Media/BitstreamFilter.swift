import CFFmpeg
import ExportPlan

/// Changes to packets, and to what is said of a stream, without encoding it again.
enum BitstreamFilter {
    /// - Parameter options: numbers that the filter takes.
    /// - Returns: a filter to be freed by `av_bsf_free`.
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

    /// Puts a level into an HEVC stream's parameter sets, which stand in front of it alone. x265 takes a level for a limit of the bitrate,
    /// and so is not told.
    /// - Parameter level: ten times its number.
    static func setLevel(
        _ level: Int, ofHEVC parameters: UnsafeMutablePointer<AVCodecParameters>, _ subject: String
    ) throws(MediaError) {
        // It counts thirtieths.
        var filter: UnsafeMutablePointer<AVBSFContext>? = try open(
            "hevc_metadata", parameters, subject, options: ["level": level * 3])
        defer { av_bsf_free(&filter) }
        try LibavResult.check(
            avcodec_parameters_copy(parameters, filter?.pointee.par_out), subject, "cannot be written", .outOfMemory)
    }
}
