import CFFmpeg
import CLibavLog
import ExportPlan

/// A video decoder with the settings that every job uses: bit-exact, into grey frames, and no corrupt frames in the output.
///
/// Some decoders leave a part of a damaged picture as it is. It is grey then, and does not show what the memory held before,
/// which would depend on when other frames were given back.
///
/// Several threads decode an intact stream to the same frames as one. libavcodec conceals damage in another way with each
/// number of threads, not the same in each run, and marks frames too late, but its log tells of it in time.
final class VideoDecoder {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let path: String
    /// The record of what a decoder with several threads writes to the log; nil with one.
    private let complaint: OpaquePointer?
    /// Whether a frame or a packet was at fault, or a frame consists of fields, whose damage is not told.
    private var hasFailed = false

    /// - Parameter threads: the number of threads, for codecs that decode whole frames side by side.
    /// - Throws: `MediaError` `missingCodec`, `outOfMemory`, or `damaged` if the stream's codec parameters are broken.
    init(
        _ stream: UnsafeMutablePointer<AVStream>, path: String, isStill: Bool = false, threads: Int = 1
    ) throws(MediaError) {
        self.path = path
        LibavLog.begin()
        let parameters = stream.pointee.codecpar
        let codec = try DecoderChoice.decoder(of: stream, path: path)
        let made = try LibavResult.allocated(avcodec_alloc_context3(codec), path)
        var failing: UnsafeMutablePointer<AVCodecContext>? = made
        avcodec_parameters_to_context(made, parameters)
        made.pointee.pkt_timebase = stream.pointee.time_base
        made.pointee.thread_count = Int32(threads)
        made.pointee.thread_type = FF_THREAD_FRAME
        made.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        made.pointee.max_pixels = Int64(16_384) * 16_384
        if isStill { made.pointee.err_recognition |= AV_EF_EXPLODE | AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER }
        spool_decode_into_grey(made)
        let watching = threads > 1 ? spool_log_watch(made) : nil
        guard threads == 1 || watching != nil else {
            avcodec_free_context(&failing)
            throw LibavResult.error(spool_error_no_memory, path, "cannot be decoded", .outOfMemory)
        }
        let code = avcodec_open2(made, codec, nil)
        if code < 0 {
            avcodec_free_context(&failing)
            if let watching { spool_log_forget(watching) }
            throw LibavResult.error(code, path, "cannot be decoded", .damaged)
        }
        complaint = watching
        context = made
    }

    deinit {
        var freeing: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&freeing)
        if let complaint { spool_log_forget(complaint) }
    }

    /// Whether a decoder with several threads has met damage, in any packet up to that of the last frame or in one of the
    /// next ones. Frames that came before it said so are those of a decoder with one thread.
    var hasComplained: Bool { complaint.map { hasFailed || spool_log_has_complaint($0) != 0 } ?? false }

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
            if frame.isCorrupt || frame.isConcealed || frame.pointer.pointee.interlaced_frame != 0 { hasFailed = true }
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
