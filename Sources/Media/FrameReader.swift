import CFFmpeg
public import ExactTime
public import ExportPlan

/// The picture of a source at any source time: seeks, decodes and remembers, so that asking for rising (or falling)
/// times costs one decode per frame.
///
/// Which frame stands at a time is the specification's: the last one whose presentation time is at or before it, with
/// one tick's tolerance for rounded timestamps; backwards, the last one that starts before it.
public final class FrameReader {
    private let path: String
    private let facts: VideoFacts
    private let origin: MediaTime
    private var demuxer: Demuxer
    private var decoder: VideoDecoder
    private let packet: Packet
    /// Keyframes in ticks, rising.
    private let keyframes: [Int64]
    /// Decoded frames in presentation order without gaps: the one that answers, and what was kept around it.
    private var window: [(timestamp: Int64, frame: VideoFrame)] = []
    /// A decoded frame behind the window's last.
    private var ahead: (timestamp: Int64, frame: VideoFrame)?
    private var drained = false
    private var awaitingKeyframe = true
    /// Whether decoding began at the stream's very start, so that the first frame has no predecessor.
    private var fromStart = true
    /// A picture came out wrong after a seek, and seeking is not tried again: some streams decode only from their start.
    private var avoidsSeeking = false
    private var isPrimed = false
    private let backwardBudget: Int
    /// Time spent reading and decoding so far.
    public private(set) var decodingTime = Duration.zero

    /// - Parameter backwardBudget: bytes of decoded frames that may be kept while playing backwards.
    public init(_ source: SourceReference, backwardBudget: Int = 32 << 20) throws(MediaError) {
        guard let video = source.facts.video else {
            throw MediaError(.noStream, subject: source.path, message: "has no picture")
        }
        path = source.path
        facts = video
        origin = source.facts.origin
        self.backwardBudget = backwardBudget
        let timeBase = video.timeBase
        let origin = source.facts.origin
        keyframes = video.keyframes.map { (($0 + origin).seconds / timeBase).rounded }.map(Int64.init)
        (demuxer, decoder) = try FrameReader.open(source.path, video)
        packet = try Packet()
    }

    /// The frame that stands at `time`.
    /// - Parameter reversed: whether the source plays backwards there.
    /// - Throws: `MediaError` `damaged` when the stream has no picture that can be shown.
    public func frame(at time: MediaTime, reversed: Bool = false) throws(MediaError) -> VideoFrame {
        let tolerance = facts.startTolerance
        let limit =
            reversed
            ? Int64(((time - tolerance + origin).seconds / facts.timeBase).ceil - 1)
            : Int64(((time + tolerance + origin).seconds / facts.timeBase).floor)
        if let known = windowed(limit) { return known }
        let started = ContinuousClock.now
        defer { decodingTime += started.duration(to: .now) }
        let keep = reversed ? max(2, backwardBudget / max(1, bytesPerFrame)) : 1
        if shouldSeek(to: limit) { return try seekAndDecode(limit, keep: keep) }
        if let found = try decode(upTo: limit, keep: keep) { return found }
        return try seekAndDecode(limit, keep: keep)
    }

    private var bytesPerFrame: Int {
        window.first?.frame.byteCount ?? facts.size.width * facts.size.height * 3 / 2
    }

    /// The answer from what is already decoded, or nil when decoding is needed to know.
    private func windowed(_ limit: Int64) -> VideoFrame? {
        guard let last = window.last else { return nil }
        if limit >= last.timestamp {
            let answered = ahead.map { $0.timestamp > limit } ?? drained
            return answered ? last.frame : nil
        }
        if let frame = window.last(where: { $0.timestamp <= limit })?.frame { return frame }
        return fromStart && window.count == 1 && isFirstOfStream(window[0].timestamp) ? window[0].frame : nil
    }

    private func isFirstOfStream(_ timestamp: Int64) -> Bool {
        firstTimestamp.map { $0 == timestamp } ?? false
    }

    private var firstTimestamp: Int64?

    /// Back in time always; forward when a keyframe saves half a second of decoding or more.
    private func shouldSeek(to limit: Int64) -> Bool {
        if avoidsSeeking { return limit < window.last?.timestamp ?? .min }
        guard let position = ahead?.timestamp ?? window.last?.timestamp else {
            return (keyframes.first { $0 > (keyframes.first ?? 0) } ?? .max) <= limit
        }
        if limit < (window.last?.timestamp ?? position) { return true }
        guard let keyframe = keyframes.last(where: { $0 <= limit }) else { return false }
        let half = Int64((Rational(1, 2) / facts.timeBase).rounded)
        return keyframe > position + half
    }

    /// Seeks to the keyframe before `limit`; goes further back as long as what comes out starts too late (open GOPs,
    /// broken indexes).
    private func seekAndDecode(_ limit: Int64, keep: Int) throws(MediaError) -> VideoFrame {
        var candidate = avoidsSeeking ? nil : keyframes.lastIndex { $0 <= limit }
        var step = 1
        while let index = candidate, index > 0 {
            guard try restart(at: keyframes[index]) else { break }
            if let found = try decode(upTo: limit, keep: keep) {
                if !window.contains(where: \.frame.isConcealed) { return found }
                avoidsSeeking = true
                break
            }
            candidate = index - step
            step *= 2
        }
        try restartAtBeginning()
        if let found = try decode(upTo: limit, keep: keep) { return found }
        // Nothing at or before it: the stream's first picture stands there.
        if let first = ahead {
            window = [first]
            ahead = nil
            return first.frame
        }
        throw MediaError(.damaged, subject: path, message: "has no picture that can be decoded")
    }

    /// Decodes until a frame lies behind `limit`.
    /// - Returns: the last frame at or before it; nil when the first one out is already later.
    private func decode(upTo limit: Int64, keep: Int) throws(MediaError) -> VideoFrame? {
        while true {
            if ahead == nil { ahead = try nextFrame() }
            guard let next = ahead, next.timestamp <= limit else { break }
            window.append(next)
            if window.count > keep { window.removeFirst(window.count - keep) }
            ahead = nil
        }
        guard let last = window.last, last.timestamp <= limit else { return nil }
        return last.frame
    }

    private func nextFrame() throws(MediaError) -> (timestamp: Int64, frame: VideoFrame)? {
        while !drained {
            while let frame = try decoder.receive() {
                guard let timestamp = frame.timestamp else { continue }
                // Presentation order is the decoder's promise; a stream that breaks it is read in the order it comes.
                if let last = window.last?.timestamp, timestamp <= last { continue }
                if firstTimestamp == nil, fromStart { firstTimestamp = timestamp }
                return (timestamp, frame)
            }
            guard demuxer.read(into: packet) else {
                decoder.send(nil)
                if let frame = try decoder.receive(), let timestamp = frame.timestamp {
                    return (timestamp, frame)
                }
                drained = true
                break
            }
            guard packet.streamIndex == facts.streamIndex else { continue }
            // Decoders paint what they cannot know grey or green: nothing before the first keyframe is given to them.
            if awaitingKeyframe, !packet.isKeyframe, !keyframes.isEmpty { continue }
            awaitingKeyframe = false
            decoder.send(packet)
        }
        return nil
    }

    private func restart(at timestamp: Int64) throws(MediaError) -> Bool {
        if !isPrimed { try prime() }
        guard demuxer.seek(stream: facts.streamIndex, to: timestamp) else { return false }
        decoder.flush()
        forget()
        fromStart = false
        return true
    }

    /// Shows the decoder the stream's first packet before anything else. In H.264 4:4:4 streams of old x264 versions it
    /// names the version, without which every later picture decodes to green.
    private func prime() throws(MediaError) {
        isPrimed = true
        guard facts.codec == "h264", facts.pixelFormat.contains("444"), window.isEmpty, ahead == nil else { return }
        while demuxer.read(into: packet) {
            guard packet.streamIndex == facts.streamIndex else { continue }
            decoder.send(packet)
            decoder.send(nil)
            _ = try decoder.receive()
            return
        }
    }

    private func restartAtBeginning() throws(MediaError) {
        (demuxer, decoder) = try FrameReader.open(path, facts)
        forget()
        fromStart = true
    }

    private func forget() {
        window = []
        ahead = nil
        drained = false
        awaitingKeyframe = true
    }

    private static func open(_ path: String, _ facts: VideoFacts) throws(MediaError) -> (Demuxer, VideoDecoder) {
        let demuxer = try Demuxer(path: path)
        guard let stream = demuxer.streamPointer(facts.streamIndex) else {
            throw MediaError(.damaged, subject: path, message: "has changed since it was probed")
        }
        demuxer.select([facts.streamIndex])
        let decoder = try VideoDecoder(stream, path: path, isStill: facts.isStill)
        return (demuxer, decoder)
    }
}
