import CFFmpeg
import ExportPlan

/// An open encoder and the packet it fills: what the picture's and the sound's encoder share.
final class EncoderContext {
    let pointer: UnsafeMutablePointer<AVCodecContext>
    private let packet: Packet
    private let name: String

    /// Finds the encoder, lets the caller set it up, and opens it.
    /// - Parameter options: the encoder's private options.
    /// - Throws: `MediaError` `missingCodec` where this installation lacks it.
    init(
        _ name: String, options: [(String, String)], _ configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(MediaError) {
        self.name = name
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw MediaError(.missingCodec, subject: name, message: "is not among the encoders of the installed FFmpeg")
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

    /// Hands a frame in (nil ends the stream) and passes on every packet that comes out.
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
