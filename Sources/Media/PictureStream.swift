import CFFmpeg
import ExportPlan

/// The pictures of a stream that libav reads, from its start or from a keyframe on. `FrameReader` decides where to go; this
/// knows how to get there and what decoders need on the way.
final class PictureStream: PictureSequence {
    private let path: String
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

    init(_ facts: VideoFacts, path: String) throws(MediaError) {
        self.path = path
        self.facts = facts
        (demuxer, decoder) = try PictureStream.open(path, facts)
        packet = try Packet()
    }

    /// The next picture, or nil behind the last one.
    func next() throws(MediaError) -> TimedPicture? {
        while !isDrained {
            while let frame = try decoder.receive() {
                // Presentation order is the decoder's promise; what breaks it is passed over.
                guard let timestamp = frame.timestamp, timestamp > lastTimestamp ?? .min else { continue }
                lastTimestamp = timestamp
                return TimedPicture(timestamp: timestamp, frame: frame)
            }
            if demuxer.read(into: packet) {
                feed()
            } else if isFlushing {
                isDrained = true
            } else {
                isFlushing = true
                decoder.send(nil)
            }
        }
        return nil
    }

    private func feed() {
        // Decoders paint what they cannot know grey or green: nothing before the first keyframe is given to them.
        // Picture files mark their frames in other ways, or not at all, and their first one always decodes.
        let isFilm = !facts.isStill && !facts.isAnimatedPicture
        if awaitingKeyframe, !packet.isKeyframe, !facts.keyframes.isEmpty, isFilm { return }
        awaitingKeyframe = false
        decoder.send(packet)
    }

    /// Goes to a keyframe.
    /// - Parameter timestamp: its time in ticks; the container may go to an earlier one, or even to a later one.
    /// - Returns: false when the container cannot seek.
    func seek(to timestamp: Int64) throws(MediaError) -> Bool {
        try prime()
        guard demuxer.seek(stream: facts.streamIndex, to: timestamp) else { return false }
        decoder.flush()
        forget()
        return true
    }

    /// Opens the file again and begins at its first picture.
    func rewind() throws(MediaError) {
        (demuxer, decoder) = try PictureStream.open(path, facts)
        forget()
    }

    private func forget() {
        lastTimestamp = nil
        awaitingKeyframe = true
        isFlushing = false
        isDrained = false
    }

    /// Shows the decoder the stream's first packet before anything else. In H.264 4:4:4 streams of old x264 versions it
    /// names the version, without which every later picture decodes to green.
    private func prime() throws(MediaError) {
        guard !isPrimed, lastTimestamp == nil, facts.codec == "h264", facts.pixelFormat.contains("444") else { return }
        isPrimed = true
        guard demuxer.read(into: packet) else { return }
        decoder.send(packet)
        decoder.send(nil)
        _ = try decoder.receive()
    }

    static func open(_ path: String, _ facts: VideoFacts) throws(MediaError) -> (Demuxer, VideoDecoder) {
        let demuxer = try Demuxer(path: path)
        guard let stream = demuxer.streamPointer(facts.streamIndex) else {
            throw MediaError(.damaged, subject: path, message: "has changed since it was probed")
        }
        demuxer.select([facts.streamIndex])
        return (demuxer, try VideoDecoder(stream, path: path, isStill: facts.isStill))
    }
}
