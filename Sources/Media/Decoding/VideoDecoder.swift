import CFFmpeg
import CLibavLog
import ExportPlan

/// A video decoder with the settings that every job uses: bit-exact, and no corrupt frames in the output.
final class VideoDecoder {
    /// How the decoder works. Both modes give the same frames of what is intact.
    enum Mode {
        /// With so many threads, until the decoder tells of damage. libavcodec conceals damage in another way with each number
        /// of threads, not the same in each run, and marks frames too late, but its log tells of it in time.
        case quick(threads: Int)
        /// With one thread, which decodes into grey frames. A part that is not decoded then does not show what the memory held
        /// before, which depends on when other frames were given back.
        case careful
    }

    private let context: UnsafeMutablePointer<AVCodecContext>
    private let path: String
    /// What the log tells of the decoder.
    private let complaint: OpaquePointer
    /// Whether a frame or a packet was at fault.
    private var hasFailed = false

    /// - Throws: `MediaError` `missingCodec`, `outOfMemory`, or `damaged` if the stream's codec parameters are broken.
    init(
        _ stream: UnsafeMutablePointer<AVStream>, path: String, isStill: Bool = false, mode: Mode = .careful
    ) throws(MediaError) {
        self.path = path
        LibavLog.begin()
        let parameters = stream.pointee.codecpar
        let codec = try DecoderChoice.decoder(of: stream, path: path)
        let made = try LibavResult.allocated(avcodec_alloc_context3(codec), path)
        var failing: UnsafeMutablePointer<AVCodecContext>? = made
        avcodec_parameters_to_context(made, parameters)
        made.pointee.pkt_timebase = stream.pointee.time_base
        made.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        made.pointee.max_pixels = Int64(16_384) * 16_384
        if isStill { made.pointee.err_recognition |= AV_EF_EXPLODE | AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER }
        switch mode {
        case .quick(let threads):
            made.pointee.thread_count = Int32(threads)
            made.pointee.thread_type = FF_THREAD_FRAME
            // FFmpeg's decoders of HEVC and VP8 leave the rest of a picture whose data ends too early as it is, and do not tell.
            // That of H.264 fills it in, and tells.
            if made.pointee.codec_id != AV_CODEC_ID_H264 { spool_decode_into_grey(made) }
        case .careful:
            made.pointee.thread_count = 1
            spool_decode_into_grey(made)
        }
        guard let watching = spool_log_watch(made) else {
            avcodec_free_context(&failing)
            throw LibavResult.error(spool_error_no_memory, path, "cannot be decoded", .outOfMemory)
        }
        let code = avcodec_open2(made, codec, nil)
        if code < 0 {
            avcodec_free_context(&failing)
            spool_log_forget(watching)
            throw LibavResult.error(code, path, "cannot be decoded", .damaged)
        }
        complaint = watching
        context = made
    }

    deinit {
        var freeing: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&freeing)
        spool_log_forget(complaint)
    }

    /// Whether the decoder has met damage, in any packet up to that of the last frame or in one of the next ones. What came
    /// before it said so is intact.
    var hasComplained: Bool { hasFailed || spool_log_has_complaint(complaint) != 0 }

    /// Sends a packet to the decoder; nil says that no packet follows. A packet that the decoder refuses is dropped.
    /// - Throws: `MediaError` `outOfMemory`, which says nothing about the packet.
    func send(_ packet: Packet?) throws(MediaError) {
        try check(avcodec_send_packet(context, packet?.pointer))
    }

    /// The next picture in presentation order, or nil if the decoder needs another packet or has ended.
    func receive() throws(MediaError) -> VideoFrame? {
        while true {
            let frame = try VideoFrame()
            let code = avcodec_receive_frame(context, frame.pointer)
            try check(code)
            if code < 0 { return nil }
            if frame.isCorrupt || frame.isConcealed { hasFailed = true }
            if !frame.isCorrupt { return frame }
        }
    }

    private func check(_ code: Int32) throws(MediaError) {
        if code == spool_error_no_memory { throw LibavResult.error(code, path, "cannot be decoded", .outOfMemory) }
        if code < 0, code != spool_error_again, code != spool_error_eof { hasFailed = true }
    }

    /// Discards the decoder's state after a seek.
    func flush() { avcodec_flush_buffers(context) }
}
