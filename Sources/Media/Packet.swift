import CFFmpeg

/// One compressed frame. Owns libav's packet; the data is reference counted.
public final class Packet {
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
    /// Decoded for the sake of others, never shown (cut off by an edit list).
    var isDiscarded: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    /// The presentation timestamp, or the decoding one where the container has no other.
    var timestamp: Int64? {
        if pointer.pointee.pts != spool_no_timestamp { return pointer.pointee.pts }
        return pointer.pointee.dts != spool_no_timestamp ? pointer.pointee.dts : nil
    }
    var duration: Int64 { pointer.pointee.duration }
    var byteCount: Int { Int(pointer.pointee.size) }
}
