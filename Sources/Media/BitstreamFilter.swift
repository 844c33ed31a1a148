import CFFmpeg
import ExportPlan

/// Changes to what is said of a stream without encoding it again.
enum BitstreamFilter {
    /// Puts a level into an HEVC stream's parameter sets, which stand in front of it alone. x265 takes a level for a limit of the bitrate,
    /// and so is not told.
    /// - Parameter level: ten times its number.
    static func setLevel(
        _ level: Int, ofHEVC parameters: UnsafeMutablePointer<AVCodecParameters>, _ subject: String
    ) throws(MediaError) {
        let name = "hevc_metadata"
        guard let filter = av_bsf_get_by_name(name) else {
            throw MediaError(.missingCodec, subject: name, message: "is not among the filters of the installed FFmpeg")
        }
        var context: UnsafeMutablePointer<AVBSFContext>?
        try LibavResult.check(av_bsf_alloc(filter, &context), subject, "cannot be written", .outOfMemory)
        defer { av_bsf_free(&context) }
        let made = try LibavResult.allocated(context, subject)
        try LibavResult.check(
            avcodec_parameters_copy(made.pointee.par_in, parameters), subject, "cannot be written", .outOfMemory)
        // It counts thirtieths.
        av_opt_set_int(made.pointee.priv_data, "level", Int64(level * 3), 0)
        try LibavResult.check(av_bsf_init(made), subject, "has parameter sets that cannot be changed")
        try LibavResult.check(
            avcodec_parameters_copy(parameters, made.pointee.par_out), subject, "cannot be written", .outOfMemory)
    }
}
