import CFFmpeg
import ExactTime
import ExportPlan

/// The pictures of a stream that libav reads, from its start or from a keyframe on. `FrameReader` decides where to go; this
/// knows how to get there and what decoders need on the way.
final class PictureStream: PictureSequence {
    private let file: SourceFile
    private let facts: VideoFacts
    private var demuxer: Demuxer
    private var decoder: VideoDecoder
    private let packet: Packet
    private var lastTimestamp: Int64?
    private var awaitingKeyframe = true
    private var isPrimed = false
    /// Whether the decoder has been told that no packet follows.
    private var isFlushing = false
    /// Whether the last picture is out.
    private(set) var isDrained = false
    private var lost: LostPictures
    /// Whether the first keyframe from here on is where a seek ended.
    private var hasSought = false

    init(_ facts: VideoFacts, _ file: SourceFile) throws(MediaError) {
        self.file = file
        self.facts = facts
        // Images of an animation stand as long as they say, so that any gap may be one.
        lost = LostPictures(
            step: facts.isAnimatedPicture ? 1 : Int64((facts.frameRate.frameDuration.seconds / facts.timeBase).floor))
        (demuxer, decoder) = try PictureStream.open(file, facts)
        packet = try Packet()
    }

    /// The next picture, or nil behind the last one.
    func next() throws(MediaError) -> TimedPicture? {
        while !isDrained {
            while let frame = try decoder.receive() {
                // Presentation order is the decoder's promise; what breaks it is passed over.
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

    func lostPicture(in stretch: ClosedRange<Int64>) -> Int64? { lost.last(in: stretch) }

    private func feed() throws(MediaError) {
        // Decoders paint what they cannot know grey or green: nothing before the first keyframe is given to them.
        // Picture files mark their frames in other ways, or not at all, and their first one always decodes.
        let isFilm = !facts.isStill && !facts.isAnimatedPicture
        let isSkipped = awaitingKeyframe && !packet.isKeyframe && !facts.keyframes.isEmpty && isFilm
        if !facts.isStill, let timestamp = packet.timestamp, isPicture {
            if hasSought, !isSkipped { lost.begin(at: timestamp) }
            if !hasSought || !isSkipped { lost.sent(timestamp) }
        }
        if isSkipped { return }
        awaitingKeyframe = false
        hasSought = false
        try decoder.send(packet)
    }

    /// Whether a picture is to come out for the packet. MPEG-4 in AVI has packets that say that nothing changes; libavcodec knows
    /// them by the same length (`MAX_NVOP_SIZE` of mpeg4_unpack_bframes).
    private var isPicture: Bool {
        guard !packet.isDiscarded, packet.byteCount > 0 else { return false }
        if facts.codec == "mpeg4" || facts.codec.hasPrefix("msmpeg4"), packet.byteCount <= 19 { return false }
        guard let id = demuxer.streamPointer(facts.streamIndex)?.pointee.codecpar.pointee.codec_id else { return true }
        return packet.isShown(id)
    }

    /// Goes to a keyframe.
    /// - Parameter timestamp: its time in ticks; the container may go to an earlier one, or even to a later one.
    /// - Returns: false when the container cannot seek.
    func seek(to timestamp: Int64) throws(MediaError) -> Bool {
        try prime()
        guard try demuxer.seek(stream: facts.streamIndex, to: timestamp) else { return false }
        decoder.flush()
        forget()
        hasSought = true
        return true
    }

    /// Opens the file again and begins at its first picture.
    func rewind() throws(MediaError) {
        (demuxer, decoder) = try PictureStream.open(file, facts)
        forget()
    }

    private func forget() {
        lastTimestamp = nil
        lost.begin(at: nil)
        hasSought = false
        awaitingKeyframe = true
        isFlushing = false
        isDrained = false
    }

    /// Shows the decoder the stream's first packet before anything else. In H.264 4:4:4 streams of old x264 versions it
    /// names the version, without which every later picture decodes to green.
    private func prime() throws(MediaError) {
        guard !isPrimed, lastTimestamp == nil, facts.codec == "h264", facts.pixelFormat.contains("444") else { return }
        isPrimed = true
        guard try demuxer.read(into: packet) else { return }
        try decoder.send(packet)
        try decoder.send(nil)
        _ = try decoder.receive()
    }

    static func open(_ file: SourceFile, _ facts: VideoFacts) throws(MediaError) -> (Demuxer, VideoDecoder) {
        let demuxer = try Demuxer(file)
        let path = file.path
        guard let stream = demuxer.streamPointer(facts.streamIndex) else {
            throw MediaError(.damaged, subject: path, message: "has changed since it was probed")
        }
        demuxer.select([facts.streamIndex])
        return (demuxer, try VideoDecoder(stream, path: path, isStill: facts.isStill))
    }
}
