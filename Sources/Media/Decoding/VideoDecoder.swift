import CFFmpeg
import ExportPlan

/// A video decoder with the settings that every job uses: one thread, bit-exact, and no corrupt frames in the output.
final class VideoDecoder {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let path: String

    /// - Throws: `MediaError` `missingCodec`, or `damaged` if the stream's codec parameters are broken.
    init(_ stream: UnsafeMutablePointer<AVStream>, path: String, isStill: Bool = false) throws(MediaError) {
        self.path = path
        LibavLog.begin()
        let parameters = stream.pointee.codecpar
        let codec = try DecoderChoice.decoder(of: stream, path: path)
        let made = try LibavResult.allocated(avcodec_alloc_context3(codec), path)
        avcodec_parameters_to_context(made, parameters)
        made.pointee.pkt_timebase = stream.pointee.time_base
        made.pointee.thread_count = 1
        made.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        made.pointee.max_pixels = Int64(16_384) * 16_384
        if isStill { made.pointee.err_recognition |= AV_EF_EXPLODE | AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER }
        let code = avcodec_open2(made, codec, nil)
        if code < 0 {
            var freeing: UnsafeMutablePointer<AVCodecContext>? = made
            avcodec_free_context(&freeing)
            throw LibavResult.error(code, path, "cannot be decoded", .damaged)
        }
        context = made
    }

    deinit {
        var freeing: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&freeing)
    }

    /// Sends a packet to the decoder; nil says that no packet follows. A packet that the decoder refuses is dropped.
    /// - Throws: `MediaError` `outOfMemory`, which says nothing about the packet.
    func send(_ packet: Packet?) throws(MediaError) {
        try checkMemory(avcodec_send_packet(context, packet?.pointer))
    }

    /// The next picture in presentation order, or nil if the decoder needs another packet or has ended.
    func receive() throws(MediaError) -> VideoFrame? {
        while true {
            let frame = try VideoFrame()
            let code = avcodec_receive_frame(context, frame.pointer)
            try checkMemory(code)
            if code < 0 { return nil }
            if !frame.isCorrupt { return frame }
        }
    }

    private func checkMemory(_ code: Int32) throws(MediaError) {
        if code == spool_error_no_memory { throw LibavResult.error(code, path, "cannot be decoded", .outOfMemory) }
    }

    /// Discards the decoder's state after a seek.
    func flush() { avcodec_flush_buffers(context) }
}
