import CFFmpeg
import ExactTime

/// Assigns times to the pictures of an H.264 or HEVC elementary stream, which has none: one picture after the other at
/// the stream's rate, in presentation order. It decodes the pictures to learn that order, without the loop filter.
final class PictureOrder {
    /// A picture is shown at most this many pictures after its position in the stream (ITU-T H.264, A.3.1:
    /// max_dec_frame_buffering).
    private static let delay: Int64 = 16

    private let context: UnsafeMutablePointer<AVCodecContext>
    private let frame: UnsafeMutablePointer<AVFrame>
    /// The time base: the duration of one picture.
    let clock: AVRational
    private var waiting: [(index: Int64, packet: Packet)] = []
    /// The position in presentation order of each decoded picture, by its position in the stream.
    private var places: [Int64: Int64] = [:]
    private var taken: Int64 = 0
    private var shown: Int64 = 0
    private var isFlushed = false

    /// The elementary streams whose decoding order differs from their presentation order, by libavformat's names.
    private static let formats: Set = ["h264", "hevc"]

    /// - Returns: nil for all other formats.
    init?(_ format: UnsafePointer<AVInputFormat>, _ stream: UnsafeMutablePointer<AVStream>, _ path: String) throws(MediaError) {
        guard PictureOrder.formats.contains(String(cString: format.pointee.name)), let parameters = stream.pointee.codecpar,
            let codec = avcodec_find_decoder(parameters.pointee.codec_id)
        else { return nil }
        let rate = stream.pointee.avg_frame_rate.num > 0 ? stream.pointee.avg_frame_rate : stream.pointee.r_frame_rate
        clock = rate.num > 0 && rate.den > 0 ? AVRational(num: rate.den, den: rate.num) : AVRational(num: 1, den: 25)
        let made = try LibavResult.allocated(avcodec_alloc_context3(codec), path)
        avcodec_parameters_to_context(made, parameters)
        made.pointee.thread_count = 1
        made.pointee.skip_loop_filter = AVDISCARD_ALL
        made.pointee.max_pixels = Int64(16_384) * 16_384
        context = made
        frame = try LibavResult.allocated(av_frame_alloc(), path)
        try LibavResult.check(avcodec_open2(made, codec, nil), path, "cannot be decoded", .damaged)
    }

    deinit {
        var freeing: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&freeing)
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// Adds the next packet of the stream; nil marks the end.
    func add(_ packet: Packet?) throws(MediaError) {
        if let packet {
            let kept = try Packet()
            av_packet_ref(kept.pointer, packet.pointer)
            packet.pointer.pointee.pts = taken
            packet.pointer.pointee.dts = taken
            waiting.append((taken, kept))
            taken += 1
        } else {
            isFlushed = true
        }
        _ = avcodec_send_packet(context, packet?.pointer)
        while avcodec_receive_frame(context, frame) >= 0 {
            places[frame.pointee.pts] = shown
            shown += 1
        }
    }

    /// Returns the next packet in stream order, with its times.
    /// - Returns: false while the times of the next packet are not known.
    func next(into packet: Packet) -> Bool {
        while let first = waiting.first {
            if let place = places.removeValue(forKey: first.index) {
                packet.unreference()
                av_packet_move_ref(packet.pointer, first.packet.pointer)
                packet.pointer.pointee.dts = first.index
                packet.pointer.pointee.pts = place + PictureOrder.delay
                packet.pointer.pointee.duration = 1
                waiting.removeFirst()
                return true
            }
            // A picture that the decoder has skipped is never shown.
            guard isFlushed || taken - first.index > 2 * PictureOrder.delay else { return false }
            waiting.removeFirst()
        }
        return false
    }
}
