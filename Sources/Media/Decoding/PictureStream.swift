import CFFmpeg
import ExactTime
import ExportPlan

/// The pictures of a stream that libav reads, from its start or from a keyframe. `FrameReader` decides where to seek.
/// This type knows how to get there and what decoders need before the first picture.
///
/// Several threads may decode. Where they meet damage, one thread decodes again from where reading began, and everything
/// after it: the pictures are the same whatever the number of threads.
final class PictureStream: PictureSequence {
    private let file: SourceFile
    private let facts: VideoFacts
    private var demuxer: Demuxer
    private var decoder: VideoDecoder
    private let packet: Packet
    private var lastTimestamp: Int64?
    private var awaitingKeyframe = true
    private var isPrimed = false
    /// Whether the decoder knows that no packet follows.
    private var isFlushing = false
    /// Whether the last picture has been returned.
    private(set) var isDrained = false
    private var lost: LostPictures
    private let units: NALUnits?
    /// Whether a seek has just happened, so that reading begins at the next keyframe.
    private var hasSought = false
    /// The keyframe to which the stream was sought, in ticks; nil where reading began at its start.
    private var start: Int64?
    /// The most threads that decode.
    private(set) var threads: Int
    /// Whether threads met an H.264 packet whose slices do not follow each other.
    private var hasDisorder = false

    /// - Parameter threads: the most threads that decode.
    init(_ facts: VideoFacts, _ file: SourceFile, threads: Int = 1) throws(MediaError) {
        self.file = file
        self.facts = facts
        self.threads = facts.isDecodedInThreads ? max(1, threads) : 1
        lost = LostPictures(step: facts.leastStep)
        (demuxer, decoder) = try PictureStream.open(file, facts, threads: self.threads)
        packet = try Packet()
        units = demuxer.streamPointer(facts.streamIndex)?.pointee.codecpar.flatMap(NALUnits.init)
    }

    /// The next picture, or nil after the last one.
    func next() throws(MediaError) -> TimedPicture? {
        let earlier = lastTimestamp
        let picture = try decoded()
        guard threads > 1, decoder.hasComplained || hasDisorder || lost.hasAny else { return picture }
        return try decodeAgain(after: earlier)
    }

    /// Decodes again with one thread, from where reading began.
    /// - Parameter timestamp: the time of the last picture that was returned, in ticks; nil if there was none.
    /// - Returns: the picture after it, or nil after the last one.
    private func decodeAgain(after timestamp: Int64?) throws(MediaError) -> TimedPicture? {
        threads = 1
        lost = LostPictures(step: facts.leastStep)
        let start = start
        try rewind()
        // The container went there before.
        if let start { _ = try seek(to: start) }
        while let picture = try decoded() {
            if picture.timestamp > timestamp ?? .min { return picture }
        }
        return nil
    }

    private func decoded() throws(MediaError) -> TimedPicture? {
        while !isDrained {
            while let frame = try decoder.receive() {
                // Decoders promise presentation order; a picture out of order is skipped.
                guard let timestamp = frame.timestamp, timestamp > lastTimestamp ?? .min else { continue }
                lastTimestamp = timestamp
                lost.came(timestamp)
                return TimedPicture(timestamp: timestamp, frame: frame)
            }
            if try demuxer.read(into: packet) {
                try feed()
            } else if isFlushing {
                isDrained = true
                lost.ended()
            } else {
                isFlushing = true
                try decoder.send(nil)
            }
        }
        return nil
    }

    func lostPicture(in range: ClosedRange<Int64>) -> Int64? { lost.last(in: range) }

    private func feed() throws(MediaError) {
        // Decoders fill unknown regions with grey or green, so packets before the first keyframe are not sent. Picture
        // files mark their frames in other ways, or not at all, and their first frame always decodes.
        let isFilm = !facts.isStill && !facts.isAnimatedPicture
        let isSkipped = awaitingKeyframe && !packet.isKeyframe && !facts.keyframes.isEmpty && isFilm
        if !facts.isStill, let timestamp = packet.timestamp, isPicture {
            if hasSought, !isSkipped { lost.begin(at: timestamp) }
            if !hasSought || !isSkipped { lost.sent(timestamp) }
        }
        if isSkipped { return }
        awaitingKeyframe = false
        hasSought = false
        if threads > 1, let units, !units.hasSlicesInOrder(packet) { hasDisorder = true }
        try decoder.send(packet)
    }

    /// Whether the packet yields a shown picture. MPEG-4 in AVI has packets that say that nothing changes; libavcodec
    /// recognises them by the same length (`MAX_NVOP_SIZE` of mpeg4_unpack_bframes).
    private var isPicture: Bool {
        guard !packet.isDiscarded, packet.byteCount > 0 else { return false }
        if facts.codec == "mpeg4" || facts.codec.hasPrefix("msmpeg4"), packet.byteCount <= 19 { return false }
        guard let id = demuxer.streamPointer(facts.streamIndex)?.pointee.codecpar.pointee.codec_id else { return true }
        return packet.isShown(id)
    }

    /// Seeks to a keyframe.
    /// - Parameter timestamp: its time in ticks; the container may go to an earlier one, or even to a later one.
    /// - Returns: false if the container cannot seek.
    func seek(to timestamp: Int64) throws(MediaError) -> Bool {
        try prime()
        guard try demuxer.seek(stream: facts.streamIndex, to: timestamp) else { return false }
        if facts.codec == "hevc" || facts.isDecodedInThreads {
            // A decoder that is flushed keeps marks of what came before, and conceals in another way then.
            decoder = try PictureStream.decoder(demuxer, facts, file.path, threads: threads)
        } else {
            decoder.flush()
        }
        forget()
        hasSought = true
        start = timestamp
        return true
    }

    /// Opens the file again and starts at its first picture.
    func rewind() throws(MediaError) {
        (demuxer, decoder) = try PictureStream.open(file, facts, threads: threads)
        forget()
        isPrimed = false
        start = nil
    }

    private func forget() {
        lastTimestamp = nil
        lost.begin(at: nil)
        hasSought = false
        awaitingKeyframe = true
        isFlushing = false
        isDrained = false
    }

    /// Sends the stream's first packet to the decoder before anything else. In H.264 4:4:4 streams of old x264 versions
    /// it contains the x264 version, without which every later picture decodes to green.
    private func prime() throws(MediaError) {
        guard !isPrimed, lastTimestamp == nil, facts.codec == "h264", facts.pixelFormat.contains("444") else { return }
        isPrimed = true
        guard try demuxer.read(into: packet) else { return }
        try decoder.send(packet)
        try decoder.send(nil)
        _ = try decoder.receive()
    }

    static func open(
        _ file: SourceFile, _ facts: VideoFacts, threads: Int = 1
    ) throws(MediaError) -> (Demuxer, VideoDecoder) {
        let demuxer = try Demuxer(file)
        demuxer.select([facts.streamIndex])
        return (demuxer, try decoder(demuxer, facts, file.path, threads: threads))
    }

    private static func decoder(
        _ demuxer: Demuxer, _ facts: VideoFacts, _ path: String, threads: Int
    ) throws(MediaError) -> VideoDecoder {
        guard let stream = demuxer.streamPointer(facts.streamIndex) else {
            throw MediaError(
                .damaged, subject: path, message: "has changed since it was probed; start the export again")
        }
        return try VideoDecoder(stream, path: path, isStill: facts.isStill, threads: threads)
    }
}

extension VideoFacts {
    /// The least distance from picture to picture, in ticks. Frames of an animation have any duration, so any missing time
    /// may be a lost picture.
    fileprivate var leastStep: Int64 {
        isAnimatedPicture ? 1 : Int64((frameRate.frameDuration.seconds / timeBase).floor)
    }

    /// Whether libavcodec decodes several frames of the codec side by side, and tells of all damage. It does not in HEVC.
    /// `DecoderThreadTests` compares the frames of damaged files.
    fileprivate var isDecodedInThreads: Bool {
        guard !isStill, !isAnimatedPicture else { return false }
        // Old x264 streams in 4:4:4 need their first packet first, in the thread that decodes (`prime`).
        // libvpx decodes VP9 with alpha, and its threads are not these.
        return codec == "vp9" && !pixelFormat.hasPrefix("yuva") || codec == "h264" && !pixelFormat.contains("444")
    }
}
