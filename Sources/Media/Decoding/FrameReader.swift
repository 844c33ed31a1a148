package import ExactTime
package import ExportPlan

/// Returns the picture of a source at any source time. It seeks, decodes and keeps decoded pictures, so that requests
/// at rising (or falling) times cost one decode per frame.
///
/// The frame at a time is the last one whose presentation time is at or before it, with one tick of tolerance for
/// rounded timestamps. When playing backwards it is the last one that starts before that time. The draft format defines
/// it so.
package final class FrameReader {
    private let path: String
    private let source: String
    private let damage: DamageLog?
    private let facts: VideoFacts
    private let origin: MediaTime
    private let stream: any PictureSequence
    /// The times of the keyframes in ticks, rising.
    private let keyframes: [Int64]
    /// The last picture that was requested or decoded, and those kept before it.
    private var window: PictureWindow
    /// The decoded picture after the last one of the window.
    private var ahead: TimedPicture?
    /// Whether a picture was decoded wrongly after a seek. Some streams decode only from their start; no more seeks are
    /// tried then.
    private var avoidsSeeking = false
    /// The times of pictures in which the decoder concealed errors, in ticks.
    private var concealed: Set<Int64> = []
    /// Whether the pictures of the window were decoded from a keyframe to which the stream was sought.
    private var hasSought = false
    /// Time spent reading and decoding so far.
    package private(set) var decodingTime = Duration.zero

    /// - Parameters:
    ///   - fields: how the source is deinterlaced; nil where its frames are returned as they are.
    ///   - showsFields: whether each field of a source that is deinterlaced is a frame of its own.
    ///   - view: how a drawing is made; nil for its own size.
    ///   - primaries: the film's, to whose gamut pictures with an ICC profile are converted.
    ///   - room: where decoded frames are kept while playing backwards.
    ///   - threads: the most threads that decode; the frames are the same whatever their number.
    ///   - damage: records which of the requested pictures are missing or damaged.
    package init(
        _ source: SourceReference, fields: SourceFields? = nil, showsFields: Bool = false, view: DrawnView? = nil,
        primaries: ColorDescription.Primaries = .bt709, room: BackwardRoom = BackwardRoom(), threads: Int = 1,
        damage: DamageLog? = nil
    ) throws(MediaError) {
        guard let video = source.facts.video else {
            throw MediaError(.noStream, subject: source.path, message: "has no picture")
        }
        path = source.path
        self.source = source.facts.contentHash
        self.damage = damage
        let facts = fields != nil && showsFields ? video.ofFields : video
        self.facts = facts
        let origin = source.facts.origin
        self.origin = origin
        window = PictureWindow(room)
        keyframes = video.keyframes.map { Int64((($0 + origin).seconds / facts.timeBase).rounded) }
        let frames = try openPictures(
            source.facts, video, try SourceFile(source), view, primaries: primaries, threads: fields == nil ? threads : 1)
        stream =
            fields.map { DeinterlacedPictures(frames, $0, isOfFields: showsFields, timeBase: video.timeBase) } ?? frames
    }

    /// How many threads decode: one in a source whose codec does not divide the work, and from the first damage on.
    package var threads: Int { stream.threads }

    /// The frame at `time`.
    /// - Parameter reversed: whether the source plays backwards at that time.
    /// - Throws: `MediaError` `damaged` if no picture of the stream can be decoded.
    package func frame(at time: MediaTime, reversed: Bool = false) throws(MediaError) -> VideoFrame {
        try picture(at: time, reversed: reversed).frame
    }

    private func picture(at time: MediaTime, reversed: Bool) throws(MediaError) -> TimedPicture {
        let limit = lastTick(at: time, reversed: reversed)
        let found = try picture(at: limit, reversed)
        if let damage { note(found, limit, in: damage) }
        return found
    }

    private func picture(at limit: Int64, _ reversed: Bool) throws(MediaError) -> TimedPicture {
        let started = ContinuousClock.now
        defer { decodingTime += started.duration(to: .now) }
        if let found = try reached(limit, reversed) {
            // Backwards every picture is the first one behind a seek, or was decoded for a later one that was.
            if !reversed || !hasSought || !found.frame.isConcealed { return found }
            avoidsSeeking = true
        }
        return try seekAndDecode(limit, reversed)
    }

    /// The picture from the window, or from reading on; nil if the stream has to seek.
    private func reached(_ limit: Int64, _ reversed: Bool) throws(MediaError) -> TimedPicture? {
        if let known = try windowed(limit) { return known }
        return shouldSeek(to: limit) ? nil : try decode(upTo: limit, reversed)
    }

    private func nextPicture() throws(MediaError) -> TimedPicture? {
        let next = try stream.next()
        if let next, next.frame.isConcealed { concealed.insert(next.timestamp) }
        return next
    }

    /// Records a picture that is shown in place of a lost one, or that may show damage: pictures after a lost or
    /// concealed one may depend on it, up to the next keyframe.
    private func note(_ shown: TimedPicture, _ limit: Int64, in damage: DamageLog) {
        func seconds(_ ticks: Int64) -> Double { (Rational(ticks, 1) * facts.timeBase - origin.seconds).doubleValue }
        if let code = stream.warning { damage.add(code, source: source, at: 0) }
        let isLater = shown.timestamp > limit
        if let lost = stream.lostPicture(in: (isLater ? .min : min(limit, shown.timestamp + 1))...limit) {
            return damage.add(.frozenPictures, source: source, at: seconds(lost))
        }
        let keyframe = keyframes.last { $0 <= shown.timestamp } ?? .min
        let range = min(keyframe, shown.timestamp)...shown.timestamp
        if concealed.contains(where: range.contains) || stream.lostPicture(in: range) != nil {
            damage.add(.damagedPictures, source: source, at: seconds(shown.timestamp))
        }
    }

    /// The frame at a time of the film.
    /// - Parameter timing: maps film time to source time; nil for a still.
    package func frame(at time: MediaTime, _ timing: SourceTiming?) throws(MediaError) -> VideoFrame {
        guard let timing else { return try frame(at: .zero) }
        return try frame(at: timing.sourceTime(at: time), reversed: timing.isReversed)
    }

    /// The frame after the one at `time`, and how far `time` is from the one to the other, as a fraction 0...1.
    /// - Returns: nil if there is no later frame, or the time is at or before the start of the current frame.
    package func frame(
        after time: MediaTime, reversed: Bool = false
    ) throws(MediaError) -> (frame: VideoFrame, share: Double)? {
        let current = try picture(at: time, reversed: reversed)
        guard let next = try picture(after: current, lastTick(at: time, reversed: reversed), reversed) else { return nil }
        let passed = (time + origin).seconds / facts.timeBase - Rational(Int(current.timestamp))
        guard passed > .zero else { return nil }
        return (next.frame, min(1, (passed / Rational(Int(next.timestamp - current.timestamp))).doubleValue))
    }

    private func picture(after current: TimedPicture, _ limit: Int64, _ reversed: Bool) throws(MediaError) -> TimedPicture? {
        if let last = window.last, last.timestamp > current.timestamp {
            if let next = try window.picture(after: current.timestamp) { return next }
            // The file of the window cannot be read.
            _ = try seekAndDecode(limit, reversed)
        }
        if ahead == nil, !stream.isDrained { ahead = try nextPicture() }
        return ahead
    }

    /// The greatest timestamp that counts as started at `time`, in ticks.
    private func lastTick(at time: MediaTime, reversed: Bool) -> Int64 {
        let tolerance = facts.startTolerance
        return reversed
            ? Int64(((time - tolerance + origin).seconds / facts.timeBase).ceil - 1)
            : Int64(((time + tolerance + origin).seconds / facts.timeBase).floor)
    }

    /// The picture from the window, or nil if more has to be decoded to know it.
    private func windowed(_ limit: Int64) throws(MediaError) -> TimedPicture? {
        guard let last = window.last else { return nil }
        if limit >= last.timestamp {
            let isAnswered = ahead.map { $0.timestamp > limit } ?? stream.isDrained
            return isAnswered ? last : nil
        }
        if let earlier = try window.picture(at: limit) { return earlier }
        return window.count == 1 && holdsFirst ? last : nil
    }

    /// Whether the window's only picture is the first of the stream, which is shown at all times before it.
    private var holdsFirst = false

    /// Going back always needs a seek. Going forward, a seek is worth it if it saves half a second of decoding or more.
    private func shouldSeek(to limit: Int64) -> Bool {
        if let last = window.last, limit < last.timestamp { return true }
        if avoidsSeeking { return false }
        guard let keyframe = keyframes.last(where: { $0 <= limit }) else { return false }
        guard let position = ahead?.timestamp ?? window.last?.timestamp else { return keyframe > keyframes[0] }
        return keyframe > position + Int64((Rational(1, 2) / facts.timeBase).rounded)
    }

    /// Seeks to the keyframe at or before `limit`, and to earlier ones while the first decoded picture is too late, as
    /// with open GOPs and broken indexes, and where libavcodec loses the last pictures of the stream: at the end it leaves
    /// out those behind a keyframe of an open GOP that has not come out yet.
    private func seekAndDecode(_ limit: Int64, _ reversed: Bool) throws(MediaError) -> TimedPicture {
        var candidate = avoidsSeeking ? nil : keyframes.lastIndex { $0 <= limit }
        var step = 1
        var hasLostEnd = false
        while let index = candidate, index > 0, try stream.seek(to: keyframes[index]) {
            forget()
            hasSought = true
            if let found = try decode(upTo: limit, reversed) {
                if found.frame.isConcealed {
                    avoidsSeeking = true
                    break
                }
                // Pictures that are lost from an earlier keyframe on, too, are damaged.
                if hasLostEnd || !stream.isDrained || stream.lostPicture(in: keyframes[index]...Int64.max) == nil {
                    return found
                }
                hasLostEnd = true
            }
            candidate = index - step
            step *= 2
        }
        try stream.rewind()
        forget()
        hasSought = false
        if let found = try decode(upTo: limit, reversed) { return found }
        // No picture is at or before `limit`: the stream's first picture is shown there.
        guard let first = ahead else {
            throw MediaError(
                .damaged, subject: path, message: "has no picture that can be decoded; copy or export the file again")
        }
        window.reset(to: first)
        ahead = nil
        holdsFirst = true
        return first
    }

    /// Decodes until a picture is later than `limit`.
    /// - Returns: the last picture at or before `limit`; nil if the first decoded picture is later.
    private func decode(upTo limit: Int64, _ reversed: Bool) throws(MediaError) -> TimedPicture? {
        while true {
            if ahead == nil { ahead = try nextPicture() }
            guard let next = ahead, next.timestamp <= limit else { break }
            // Earlier pictures would have left the window before they are asked for.
            let farthest = Int64(window.capacity(for: next.frame)) * usualStep * 5 / 4
            try window.append(next, keepsOthers: reversed && next.timestamp >= limit - farthest)
            ahead = nil
            holdsFirst = false
        }
        guard let last = window.last, last.timestamp <= limit else { return nil }
        return last
    }

    /// The usual distance from picture to picture, in ticks.
    private var usualStep: Int64 { max(1, Int64((facts.frameRate.frameDuration.seconds / facts.timeBase).ceil)) }

    private func forget() {
        window.reset()
        ahead = nil
        holdsFirst = false
    }
}
