import CFFmpeg
import ExactTime
import ExportPlan

/// Decodes a source's sound stream from any place on, as libav frames with the source sample at which each begins.
final class SoundDecoder {
    private let file: SourceFile
    private let facts: AudioFacts
    private let origin: MediaTime
    private var demuxer: Demuxer
    private var context: UnsafeMutablePointer<AVCodecContext>
    private let packet: Packet
    private let frame: VideoFrame
    private var ended = false
    /// The sample after the last one given out; nil right after a seek.
    private var position: Int?
    /// Whether something has been refused since the last frame.
    private var isBehindDamage = false

    /// - Parameter origin: the container time that is source time 0.
    init(_ facts: AudioFacts, _ file: SourceFile, origin: MediaTime) throws(MediaError) {
        self.file = file
        self.facts = facts
        self.origin = origin
        demuxer = try Demuxer(file)
        context = try SoundDecoder.openDecoder(demuxer, facts)
        packet = try Packet()
        frame = try VideoFrame()
    }

    deinit {
        var freeing: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&freeing)
    }

    /// Whether a place can be found again after a seek: timestamps finer than a sample, or at least as fine.
    private var hasExactTimestamps: Bool { facts.timeBase <= Rational(1, Int64(facts.sampleRate)) }

    /// When the first sample is heard; for a decoder that has not been used yet. Encoders' delays, which containers
    /// signal in various ways, are already off it.
    /// - Returns: nil when nothing can be decoded.
    func startTime() throws(MediaError) -> MediaTime? {
        try next().map { MediaTime(index: $0.firstSample, rate: facts.sampleRate) + origin }
    }

    /// Goes to a place at or before `sample`; where timestamps are rounded, to the beginning, for there every sample has
    /// to be counted.
    func seek(toSample sample: Int) throws(MediaError) {
        let time = MediaTime(index: sample, rate: facts.sampleRate) + origin
        let ticks = Int64((time.seconds / facts.timeBase).floor)
        if sample > 0, hasExactTimestamps, try demuxer.seek(stream: facts.streamIndex, to: ticks) {
            avcodec_flush_buffers(context)
        } else {
            var freeing: UnsafeMutablePointer<AVCodecContext>? = context
            let fresh = try Demuxer(file)
            let opened = try SoundDecoder.openDecoder(fresh, facts)
            avcodec_free_context(&freeing)
            demuxer = fresh
            context = opened
        }
        ended = false
        position = nil
        isBehindDamage = false
    }

    /// A frame on its way out.
    struct Sound {
        /// Valid until the next one is asked for.
        var frame: UnsafeMutablePointer<AVFrame>
        /// The source sample of its first sample.
        var firstSample: Int
        /// Whether what comes right before it could not be decoded.
        var isBehindDamage: Bool
    }

    /// The next frame; nil at the end.
    /// - Throws: `MediaError` `cannotRead` or `outOfMemory`.
    func next() throws(MediaError) -> Sound? {
        while true {
            av_frame_unref(frame.pointer)
            let code = avcodec_receive_frame(context, frame.pointer)
            if code >= 0 {
                guard frame.pointer.pointee.nb_samples > 0 else { continue }
                let first = place(frame)
                position = first + Int(frame.pointer.pointee.nb_samples)
                defer { isBehindDamage = false }
                return Sound(frame: frame.pointer, firstSample: first, isBehindDamage: isBehindDamage)
            }
            try note(code)
            if ended { return nil }
            ended = try !demuxer.read(into: packet)
            // A damaged packet is dropped: its time stays silent.
            try note(avcodec_send_packet(context, ended ? nil : packet.pointer))
        }
    }

    private func note(_ code: Int32) throws(MediaError) {
        if code == spool_error_no_memory { throw LibavResult.error(code, file.path, "its sound cannot be decoded", .outOfMemory) }
        if code < 0, code != spool_error_again, code != spool_error_eof { isBehindDamage = true }
    }

    /// Counts on from the frame before; a timestamp that is off by more than 50 ms is a real gap and is believed, and so is any
    /// behind a packet that was dropped.
    private func place(_ frame: VideoFrame) -> Int {
        let stamped = frame.timestamp.map { ticks in
            (MediaTime(ticks: ticks, timeBase: facts.timeBase) - origin).rounded(toRate: facts.sampleRate)
        }
        guard let position, !isBehindDamage || stamped == nil else { return stamped ?? 0 }
        guard let stamped, abs(stamped - position) > facts.sampleRate / 20 else { return position }
        return stamped
    }

    private static func openDecoder(
        _ demuxer: Demuxer, _ facts: AudioFacts
    ) throws(MediaError) -> UnsafeMutablePointer<AVCodecContext> {
        guard let stream = demuxer.streamPointer(facts.streamIndex),
            let codec = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id)
        else {
            throw MediaError(
                .missingCodec, subject: demuxer.path, message: "needs a decoder for '\(facts.codec)', which is not installed")
        }
        demuxer.select([facts.streamIndex])
        let context = try LibavResult.allocated(avcodec_alloc_context3(codec), demuxer.path)
        avcodec_parameters_to_context(context, stream.pointee.codecpar)
        context.pointee.pkt_timebase = stream.pointee.time_base
        context.pointee.thread_count = 1
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        LibavLog.begin()
        let code = avcodec_open2(context, codec, nil)
        if code < 0 {
            var freeing: UnsafeMutablePointer<AVCodecContext>? = context
            avcodec_free_context(&freeing)
            throw LibavResult.error(code, demuxer.path, "its sound cannot be decoded", .damaged)
        }
        return context
    }
}
