import CFFmpeg
import ExactTime
import ExportPlan

/// Decodes a source's sound stream from any position, as libav frames with the source sample at which each begins.
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
    /// Whether a packet could not be decoded since the last frame.
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

    /// Whether timestamps are at least as fine as one sample, so that the exact position is known after a seek.
    private var hasExactTimestamps: Bool { facts.timeBase <= Rational(1, Int64(facts.sampleRate)) }

    /// The container time at which the first sample is heard. The delay that the encoder added, which containers signal
    /// in various ways, is already removed. Only for a decoder that has not been used yet.
    /// - Returns: nil if nothing can be decoded.
    func startTime() throws(MediaError) -> MediaTime? {
        try next().map { MediaTime(index: $0.firstSample, rate: facts.sampleRate) + origin }
    }

    /// Seeks to a position at or before `sample`. If timestamps are rounded, it seeks to the beginning, because every
    /// sample has to be counted from there.
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

    /// A decoded frame.
    struct Sound {
        /// Valid until the next frame is requested.
        var frame: UnsafeMutablePointer<AVFrame>
        /// The number of its first sample, in source samples.
        var firstSample: Int
        /// Whether the sound right before the frame could not be decoded.
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
            // A damaged packet is dropped, and its time stays silent.
            try note(avcodec_send_packet(context, ended ? nil : packet.pointer))
        }
    }

    private func note(_ code: Int32) throws(MediaError) {
        if code == spool_error_no_memory { throw LibavResult.error(code, file.path, "its sound cannot be decoded", .outOfMemory) }
        if code < 0, code != spool_error_again, code != spool_error_eof { isBehindDamage = true }
    }

    /// The source sample at which a frame begins. Usually it continues the previous frame. A timestamp that differs by
    /// more than 50 ms is a real gap and is used, and so is any timestamp after a dropped packet.
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
