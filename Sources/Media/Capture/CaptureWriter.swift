import CFFmpeg
import ExactTime
import ExportPlan
import Glibc

/// Writes captured packets unchanged into a file: NUT, or Matroska if the times are whole milliseconds already. Owns
/// libav's context.
final class CaptureWriter {
    private let path: String
    private let context: UnsafeMutablePointer<AVFormatContext>
    /// The index of each stream in the file, by input and by the input's stream index.
    private var places: [[Int: Int32]] = []
    private var clocks: [[Int: AVRational]] = []
    /// The name in messages of the input that each stream of the file comes from, by the stream's index in the file.
    private var names: [Int32: String] = [:]
    private(set) var packetCount = 0
    /// The most packets of one stream that are held back.
    private static let holding = 32
    /// Packets whose decoding time is not known yet, by the stream's index in the file.
    private var held: [Int32: [Packet]] = [:]
    /// Packets that came before the first timestamp of their stream, by the stream's index in the file.
    private var untimed: [Int32: [Packet]] = [:]
    private var last: [Int32: Int64] = [:]

    /// - Throws: `MediaError` if an input has neither picture nor sound, or the file cannot be written.
    init(_ path: String, _ inputs: [CaptureInput]) throws(MediaError) {
        self.path = path
        var made: UnsafeMutablePointer<AVFormatContext>?
        LibavLog.begin()
        // NUT would refine a time base of milliseconds, which would hide from readers that the times are rounded.
        let isRounded = inputs.contains { input in
            input.streams.contains { input.clock($0).num == 1 && input.clock($0).den == 1000 }
        }
        let format = isRounded ? "matroska" : "nut"
        try LibavResult.check(avformat_alloc_output_context2(&made, nil, format, path), path, "cannot be written")
        context = try LibavResult.allocated(made, path)
        context.pointee.flags |= AVFMT_FLAG_BITEXACT
        for input in inputs {
            var own: [Int: Int32] = [:]
            var clock: [Int: AVRational] = [:]
            for index in input.streams {
                guard let stream = input.pointer(index), let added = avformat_new_stream(context, nil) else { continue }
                avcodec_parameters_copy(added.pointee.codecpar, stream.pointee.codecpar)
                // NUT identifies raw pixel formats by these tags. libavformat would choose the first tag of the codec,
                // which may belong to another pixel format.
                added.pointee.codecpar.pointee.codec_tag =
                    stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_RAWVIDEO
                    ? avcodec_pix_fmt_to_codec_tag(AVPixelFormat(stream.pointee.codecpar.pointee.format)) : 0
                added.pointee.time_base = input.clock(index)
                added.pointee.avg_frame_rate = stream.pointee.avg_frame_rate
                own[index] = added.pointee.index
                names[added.pointee.index] = input.name
                clock[index] = input.clock(index)
            }
            guard !own.isEmpty else {
                throw MediaError(
                    .noStream, subject: input.name, message: "has neither picture nor sound; record a source that has one")
            }
            places.append(own)
            clocks.append(clock)
        }
        try LibavResult.check(avio_open(&context.pointee.pb, path, AVIO_FLAG_WRITE), path, "cannot be created", .cannotWrite)
        // What has come in is in the file soon after, so that a capture that is killed keeps it.
        context.pointee.flags |= AVFMT_FLAG_FLUSH_PACKETS
        var options: OpaquePointer?
        av_dict_set(&options, "cluster_time_limit", "500", 0)
        defer { av_dict_free(&options) }
        try LibavResult.check(avformat_write_header(context, &options), path, "cannot be written", .cannotWrite)
    }

    deinit {
        avio_closep(&context.pointee.pb)
        avformat_free_context(context)
    }

    /// - Parameter input: the index of the input that the packet was read from.
    func write(_ packet: Packet, of input: Int) throws(MediaError) {
        guard let place = places[input][packet.streamIndex], let from = clocks[input][packet.streamIndex],
            let stream = context.pointee.streams[Int(place)]
        else { return }
        let pointer = packet.pointer
        guard let ticks = packet.timestamp else { return try keepUntimed(packet, place) }
        try placeUntimed(place, before: pointer.pointee.dts != spool_no_timestamp ? pointer.pointee.dts : ticks, input)
        if pointer.pointee.pts == spool_no_timestamp { pointer.pointee.pts = ticks }
        pointer.pointee.pos = -1
        av_packet_rescale_ts(pointer, from, stream.pointee.time_base)
        pointer.pointee.stream_index = place
        packetCount += 1
        // Matroska has no decoding times for the first pictures of a stream that reorders them. They are held back and
        // then placed just before the packet that follows them.
        if pointer.pointee.dts == spool_no_timestamp, last[place] == nil, held[place, default: []].count < CaptureWriter.holding {
            let kept = try Packet()
            av_packet_move_ref(kept.pointer, pointer)
            held[place, default: []].append(kept)
            return
        }
        try release(place, before: pointer.pointee.dts != spool_no_timestamp ? pointer.pointee.dts : pointer.pointee.pts)
        try store(packet)
    }

    /// Holds back a packet that comes before the first timestamp of its stream, as the first picture of a network
    /// stream may.
    private func keepUntimed(_ packet: Packet, _ place: Int32) throws(MediaError) {
        if untimed[place, default: []].count == CaptureWriter.holding {
            guard packetCount == 0 else { throw withoutTimes(place) }
            untimed[place]?.removeFirst()
        }
        guard last[place] == nil, held[place] == nil else { throw withoutTimes(place) }
        let kept = try Packet()
        av_packet_move_ref(kept.pointer, packet.pointer)
        untimed[place, default: []].append(kept)
    }

    private func withoutTimes(_ place: Int32) -> MediaError {
        MediaError(
            .unknownFormat, subject: names[place] ?? path,
            message: "has no timestamps; use it from a file or a pipe, without naming its format")
    }

    /// Writes the packets that came before the first timestamp of their stream, at times counted back from it. A packet
    /// without a duration is left out.
    private func placeUntimed(_ place: Int32, before time: Int64, _ input: Int) throws(MediaError) {
        let packets = untimed.removeValue(forKey: place) ?? []
        var time = time - packets.reduce(0) { $0 + $1.duration }
        for packet in packets where packet.duration > 0 {
            packet.pointer.pointee.pts = time
            packet.pointer.pointee.dts = time
            time += packet.duration
            try write(packet, of: input)
        }
    }

    /// Writes the packets of a stream whose decoding times were not known.
    /// - Parameter time: the decoding time of the packet that follows them.
    private func release(_ place: Int32, before time: Int64) throws(MediaError) {
        let packets = held.removeValue(forKey: place) ?? []
        for (index, packet) in packets.enumerated() {
            packet.pointer.pointee.dts = min(packet.pointer.pointee.pts, time - Int64(packets.count - index))
            try store(packet)
        }
    }

    /// Writes a packet. Decoding times that do not rise, as networks may deliver them, are raised.
    private func store(_ packet: Packet) throws(MediaError) {
        let pointer = packet.pointer
        let place = pointer.pointee.stream_index
        let wanted = pointer.pointee.dts != spool_no_timestamp ? pointer.pointee.dts : pointer.pointee.pts
        let time = last[place].map { max($0 + 1, wanted) } ?? wanted
        last[place] = time
        pointer.pointee.dts = time
        pointer.pointee.pts = max(pointer.pointee.pts, time)
        LibavLog.begin()
        try LibavResult.check(av_interleaved_write_frame(context, pointer), path, "cannot be written", .cannotWrite)
    }

    /// How many bytes were written so far.
    var byteCount: Int { Int(avio_seek(context.pointee.pb, 0, SEEK_CUR)) }

    /// - Throws: `MediaError` `unknownFormat` where packets of a stream came, but none with a timestamp.
    func checkTimes() throws(MediaError) {
        if let place = untimed.keys.min() { throw withoutTimes(place) }
    }

    /// Completes the file.
    /// - Returns: the file's size in bytes.
    func finish() throws(MediaError) -> Int {
        try checkTimes()
        for (place, packets) in held.sorted(by: { $0.key < $1.key }) {
            try release(place, before: packets.map(\.presentationTicks).min() ?? 0)
        }
        LibavLog.begin()
        try LibavResult.check(av_write_trailer(context), path, "cannot be completed", .cannotWrite)
        avio_flush(context.pointee.pb)
        try LibavResult.check(context.pointee.pb.pointee.error, path, "cannot be written", .cannotWrite)
        let size = Int(avio_size(context.pointee.pb))
        try LibavResult.check(avio_closep(&context.pointee.pb), path, "cannot be closed", .cannotWrite)
        return size
    }
}
