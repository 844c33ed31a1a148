public import ExactTime
public import ExportPlan

/// The picture of a source at any source time: seeks, decodes and remembers, so that asking for rising (or falling)
/// times costs one decode per frame.
///
/// Which frame stands at a time is the specification's: the last one whose presentation time is at or before it, with
/// one tick's tolerance for rounded timestamps; backwards, the last one that starts before it.
public final class FrameReader {
    private let path: String
    private let source: String
    private let damage: DamageLog?
    private let facts: VideoFacts
    private let origin: MediaTime
    private let stream: any PictureSequence
    /// Keyframes in ticks, rising.
    private let keyframes: [Int64]
    /// Decoded pictures without gaps: the one that answers last, and what was kept before it.
    private var window: [TimedPicture] = []
    /// A decoded picture behind the window's last.
    private var ahead: TimedPicture?
    /// A picture came out wrong after a seek, and seeking is not tried again: some streams decode only from their start.
    private var avoidsSeeking = false
    /// Times of pictures that the decoder painted over, in ticks.
    private var concealed: Set<Int64> = []
    private let backwardBudget: Int
    /// Time spent reading and decoding so far.
    public private(set) var decodingTime = Duration.zero

    /// - Parameters:
    ///   - backwardBudget: bytes of decoded frames that may be kept while playing backwards.
    ///   - damage: is told which of the pictures that were asked for are not as they should be.
    public init(_ source: SourceReference, backwardBudget: Int = 32 << 20, damage: DamageLog? = nil) throws(MediaError) {
        guard let video = source.facts.video else {
            throw MediaError(.noStream, subject: source.path, message: "has no picture")
        }
        path = source.path
        self.source = source.facts.contentHash
        self.damage = damage
        facts = video
        let origin = source.facts.origin
        self.origin = origin
        self.backwardBudget = backwardBudget
        keyframes = video.keyframes.map { Int64((($0 + origin).seconds / video.timeBase).rounded) }
        stream = try openPictures(source.facts, video, try SourceFile(source))
    }

    /// The frame that stands at `time`.
    /// - Parameter reversed: whether the source plays backwards there.
    /// - Throws: `MediaError` `damaged` when the stream has no picture that can be shown.
    public func frame(at time: MediaTime, reversed: Bool = false) throws(MediaError) -> VideoFrame {
        let limit = lastTick(at: time, reversed: reversed)
        let found = try picture(at: limit, reversed)
        if let damage { note(found, limit, in: damage) }
        return found.frame
    }

    private func picture(at limit: Int64, _ reversed: Bool) throws(MediaError) -> TimedPicture {
        if let known = windowed(limit) { return known }
        let started = ContinuousClock.now
        defer { decodingTime += started.duration(to: .now) }
        let keep = reversed ? max(2, backwardBudget / max(1, bytesPerFrame)) : 1
        if !shouldSeek(to: limit), let found = try decode(upTo: limit, keep: keep) { return found }
        return try seekAndDecode(limit, keep: keep)
    }

    private func nextPicture() throws(MediaError) -> TimedPicture? {
        let next = try stream.next()
        if let next, next.frame.isConcealed { concealed.insert(next.timestamp) }
        return next
    }

    /// Tells of a picture that stands where another one should, or may show damage: what comes behind a picture that is lost or painted
    /// over may lean on it up to the next keyframe.
    private func note(_ shown: TimedPicture, _ limit: Int64, in damage: DamageLog) {
        func seconds(_ ticks: Int64) -> Double { (Rational(ticks, 1) * facts.timeBase - origin.seconds).doubleValue }
        let isLater = shown.timestamp > limit
        if let lost = stream.lostPicture(in: (isLater ? .min : min(limit, shown.timestamp + 1))...limit) {
            return damage.add(.frozenPictures, source: source, at: seconds(lost))
        }
        let keyframe = keyframes.last { $0 <= shown.timestamp } ?? .min
        let stretch = min(keyframe, shown.timestamp)...shown.timestamp
        if concealed.contains(where: stretch.contains) || stream.lostPicture(in: stretch) != nil {
            damage.add(.damagedPictures, source: source, at: seconds(shown.timestamp))
        }
    }

    /// The frame that stands at a time of the film.
    /// - Parameter timing: which source time that is; nil of a still.
    public func frame(at time: MediaTime, _ timing: SourceTiming?) throws(MediaError) -> VideoFrame {
        guard let timing else { return try frame(at: .zero) }
        return try frame(at: timing.sourceTime(at: time), reversed: timing.isReversed)
    }

    /// The frame behind the one that stands at `time`, and how far the time is on the way to it.
    /// - Returns: nil where there is none, or the time lies before the source's first frame.
    public func frame(
        after time: MediaTime, reversed: Bool = false
    ) throws(MediaError) -> (frame: VideoFrame, share: Double)? {
        let current = try frame(at: time, reversed: reversed)
        if ahead == nil, !stream.isDrained { ahead = try nextPicture() }
        let known = window + (ahead.map { [$0] } ?? [])
        guard let index = known.firstIndex(where: { $0.frame === current }), index + 1 < known.count else { return nil }
        let (start, end) = (known[index].timestamp, known[index + 1].timestamp)
        let passed = (time + origin).seconds / facts.timeBase - Rational(Int(start))
        guard passed > .zero else { return nil }
        return (known[index + 1].frame, min(1, (passed / Rational(Int(end - start))).doubleValue))
    }

    /// The greatest timestamp that counts as started at `time`.
    private func lastTick(at time: MediaTime, reversed: Bool) -> Int64 {
        let tolerance = facts.startTolerance
        return reversed
            ? Int64(((time - tolerance + origin).seconds / facts.timeBase).ceil - 1)
            : Int64(((time + tolerance + origin).seconds / facts.timeBase).floor)
    }

    private var bytesPerFrame: Int {
        window.first?.frame.byteCount ?? facts.size.width * facts.size.height * 3 / 2
    }

    /// The answer from what is already decoded, or nil when decoding is needed to know.
    private func windowed(_ limit: Int64) -> TimedPicture? {
        guard let last = window.last else { return nil }
        if limit >= last.timestamp {
            let isAnswered = ahead.map { $0.timestamp > limit } ?? stream.isDrained
            return isAnswered ? last : nil
        }
        if let earlier = window.last(where: { $0.timestamp <= limit }) { return earlier }
        return window.count == 1 && holdsFirst ? last : nil
    }

    /// Whether the window's only picture stands for everything before it, being the stream's first.
    private var holdsFirst = false

    /// Back in time always; forward when a keyframe saves half a second of decoding or more.
    private func shouldSeek(to limit: Int64) -> Bool {
        if let last = window.last, limit < last.timestamp { return true }
        if avoidsSeeking { return false }
        guard let keyframe = keyframes.last(where: { $0 <= limit }) else { return false }
        guard let position = ahead?.timestamp ?? window.last?.timestamp else { return keyframe > keyframes[0] }
        return keyframe > position + Int64((Rational(1, 2) / facts.timeBase).rounded)
    }

    /// Seeks to the keyframe before `limit`; goes further back as long as what comes out starts too late (open GOPs,
    /// broken indexes).
    private func seekAndDecode(_ limit: Int64, keep: Int) throws(MediaError) -> TimedPicture {
        var candidate = avoidsSeeking ? nil : keyframes.lastIndex { $0 <= limit }
        var step = 1
        while let index = candidate, index > 0, try stream.seek(to: keyframes[index]) {
            forget()
            if let found = try decode(upTo: limit, keep: keep) {
                if !window.contains(where: \.frame.isConcealed) { return found }
                avoidsSeeking = true
                break
            }
            candidate = index - step
            step *= 2
        }
        try stream.rewind()
        forget()
        if let found = try decode(upTo: limit, keep: keep) { return found }
        // Nothing at or before it: the stream's first picture stands there.
        guard let first = ahead else {
            throw MediaError(.damaged, subject: path, message: "has no picture that can be decoded")
        }
        window = [first]
        ahead = nil
        holdsFirst = true
        return first
    }

    /// Decodes until a picture lies behind `limit`.
    /// - Returns: the last one at or before it; nil when the first one out is already later.
    private func decode(upTo limit: Int64, keep: Int) throws(MediaError) -> TimedPicture? {
        while true {
            if ahead == nil { ahead = try nextPicture() }
            guard let next = ahead, next.timestamp <= limit else { break }
            window.append(next)
            if window.count > keep { window.removeFirst(window.count - keep) }
            ahead = nil
            holdsFirst = false
        }
        guard let last = window.last, last.timestamp <= limit else { return nil }
        return last
    }

    private func forget() {
        window = []
        ahead = nil
        holdsFirst = false
    }
}
