import CFFmpeg

/// One compressed frame. Owns libav's packet; the data is reference counted.
package final class Packet {
    let pointer: UnsafeMutablePointer<AVPacket>

    init() throws(MediaError) {
        pointer = try LibavResult.allocated(av_packet_alloc(), "packet")
    }

    deinit {
        var freeing: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&freeing)
    }

    func unreference() { av_packet_unref(pointer) }

    var streamIndex: Int { Int(pointer.pointee.stream_index) }
    var isKeyframe: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    /// Whether the packet is decoded only because others need it, and never shown (cut off by an edit list).
    var isDiscarded: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    /// The presentation timestamp, or else the decoding timestamp, in ticks; nil if the container has neither.
    var timestamp: Int64? {
        if pointer.pointee.pts != spool_no_timestamp { return pointer.pointee.pts }
        return pointer.pointee.dts != spool_no_timestamp ? pointer.pointee.dts : nil
    }
    var duration: Int64 { pointer.pointee.duration }
    var byteCount: Int { Int(pointer.pointee.size) }

    /// Adds ticks to its timestamps.
    package func delay(by ticks: Int64) {
        if pointer.pointee.pts != spool_no_timestamp { pointer.pointee.pts += ticks }
        if pointer.pointee.dts != spool_no_timestamp { pointer.pointee.dts += ticks }
    }

    /// Whether the packet yields a picture that is shown. WebM stores the hidden reference frames of VP8 and VP9 as
    /// packets of their own.
    func isShown(_ codec: AVCodecID) -> Bool {
        guard let data = pointer.pointee.data, byteCount > 0 else { return true }
        switch codec {
        case AV_CODEC_ID_VP8:
            return data[0] & 0x10 != 0  // RFC 6386, section 9.1: show_frame
        case AV_CODEC_ID_VP9:
            // VP9 bitstream specification, annex B: a superframe ends with its marker and contains a shown frame.
            if data[byteCount - 1] & 0xE0 == 0xC0 { return true }
            // Section 6.2: marker (2 bits), profile (2, and 1 reserved for profile 3), show_existing_frame, frame_type,
            // show_frame.
            let profile = (data[0] >> 5 & 1) | (data[0] >> 4 & 1) << 1
            let shift: UInt8 = profile == 3 ? 2 : 3
            let showsExisting = data[0] >> shift & 1 != 0
            return showsExisting || data[0] >> (shift - 2) & 1 != 0
        default:
            return true
        }
    }
}
