import CFFmpeg
import ExportPlan

/// An open encoder and the packet that it fills, shared by the video and the audio encoder.
final class EncoderContext {
    let pointer: UnsafeMutablePointer<AVCodecContext>
    private let packet: Packet
    private let name: String

    /// Finds the encoder, lets the caller set it up, and opens it.
    /// - Parameter options: the encoder's private options.
    /// - Throws: `MediaError` `missingCodec` if this installation lacks the encoder.
    init(
        _ name: String, options: [(String, String)], _ configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(MediaError) {
        self.name = name
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw MediaError(
                .missingCodec, subject: name,
                message: "is not among the encoders of the installed FFmpeg; install one that was built with it")
        }
        packet = try Packet()
        let made = try LibavResult.allocated(avcodec_alloc_context3(codec), name)
        configure(made)
        made.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT
        var dictionary: OpaquePointer?
        for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
        defer { av_dict_free(&dictionary) }
        LibavLog.begin()
        let code = avcodec_open2(made, codec, &dictionary)
        if code < 0 {
            var freeing: UnsafeMutablePointer<AVCodecContext>? = made
            avcodec_free_context(&freeing)
            throw LibavResult.error(code, name, "cannot be opened", .internalFailure)
        }
        pointer = made
    }

    deinit {
        var freeing: UnsafeMutablePointer<AVCodecContext>? = pointer
        avcodec_free_context(&freeing)
    }

    /// Sends a frame to the encoder (nil ends the stream) and passes every finished packet to `emit`.
    func encode(_ frame: UnsafeMutablePointer<AVFrame>?, _ emit: (Packet) throws(MediaError) -> Void) throws(MediaError) {
        LibavLog.begin()
        try LibavResult.check(avcodec_send_frame(pointer, frame), name, "refused a frame")
        while true {
            let code = avcodec_receive_packet(pointer, packet.pointer)
            if code == spool_error_again || code == spool_error_eof { return }
            try LibavResult.check(code, name, "failed")
            try emit(packet)
            packet.unreference()
        }
    }
}
