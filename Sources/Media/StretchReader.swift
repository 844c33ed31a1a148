import CFFmpeg
public import ExactTime
public import ExportPlan

/// Reads the packets of a stretch of a file's stream, to be copied: those that are seen or heard, and those without which these cannot
/// be decoded. Their times count from the stretch's start: what comes before it has times below zero.
public final class StretchReader {
    public enum Track: Sendable { case video, audio }

    private let demuxer: Demuxer
    private let index: Int
    private let stream: UnsafeMutablePointer<AVStream>
    private let track: Track
    private let hash: String
    /// The container time that is source time 0.
    private let origin: MediaTime
    private let damage: DamageLog?
    /// Packets that were read to find the first one.
    private var held: [Packet] = []
    private let packet: Packet
    /// The stream's own time that is time 0 of the stretch: where its first picture starts, so that a steady rate stays steady; where the
    /// rate changes, the very time that was asked for.
    private var start: Int64
    /// The stream's own time of the picture that is seen first.
    private var firstPicture = Int64.min
    /// How long the stretch is, in ticks, and how far before its end a picture no longer counts as started.
    private let length, tolerance: Int64
    /// How long what is seen or heard lasts, in ticks; where the first picture starts that is not seen.
    private var shown: Int64 = 0
    private var firstHidden = Int64.max
    /// Of a packet that does not say how long it lasts, in ticks.
    private let usualDuration: Int64

    /// - Throws: `MediaError` when the file cannot be read, or has no such stream.
    /// - Parameter damage: is told of packets that the container says are damaged.
    public init(
        _ source: SourceReference, _ track: Track, _ range: TimeRange, damage: DamageLog? = nil
    ) throws(MediaError) {
        let facts = source.facts
        hash = facts.contentHash
        origin = facts.origin
        self.damage = damage
        self.track = track
        demuxer = try Demuxer(try SourceFile(source))
        let index = track == .video ? facts.video?.streamIndex : facts.audio?.streamIndex
        guard let index, let stream = demuxer.streamPointer(index) else {
            throw MediaError(.damaged, subject: source.path, message: "has no such stream")
        }
        self.index = index
        self.stream = stream
        demuxer.select([index])
        packet = try Packet()
        let timeBase = stream.pointee.time_base.exact
        func ticks(_ time: MediaTime) -> Int64 { Int64((time.seconds / timeBase).rounded) }
        start = ticks(range.start + facts.origin)
        length = ticks(range.end + facts.origin) - start
        tolerance = track == .video ? Int64(((facts.video?.startTolerance ?? .zero).seconds / timeBase).floor) : 0
        usualDuration = max(1, track == .video ? ticks(facts.video?.frameRate.frameDuration ?? .zero) : 1024)
        try findStart(source.path, second: ticks(MediaTime(seconds: 1)))
        if let video = facts.video, track == .video, !video.isVariableFrameRate { start = firstPicture }
    }

    /// Goes to where decoding has to begin: the last keyframe before the first picture that is seen; the sound's packet before the first that
    /// is heard, because transforms reach over two.
    private func findStart(_ path: String, second: Int64) throws(MediaError) {
        let wanted = start + tolerance
        var back: Int64 = track == .video ? 0 : second / 10
        repeat {
            guard try demuxer.seek(stream: index, to: wanted - back) else {
                throw MediaError(.damaged, subject: path, message: "cannot be searched for the place where the clip begins")
            }
            held = []
            while try demuxer.read(into: packet) {
                if held.isEmpty, !packet.isKeyframe { continue }
                let next = try Packet()
                av_packet_move_ref(next.pointer, packet.pointer)
                held.append(next)
                if next.decoding > wanted { break }
            }
            back = max(second, back * 2)
            // Some containers go to a place behind the one that was asked for.
        } while (held.first?.pointer.pointee.pts ?? 0) > wanted && back < second * 100
        guard !held.isEmpty else {
            throw MediaError(.damaged, subject: path, message: "has no packet where the clip begins")
        }
        switch track {
        case .video:
            firstPicture = held.map(\.presentationTicks).filter { $0 <= wanted }.max() ?? start
            let first = held.lastIndex { $0.isKeyframe && $0.presentationTicks <= firstPicture } ?? 0
            held.removeFirst(first)
        case .audio:
            let first = held.lastIndex { $0.presentationTicks <= start } ?? 0
            held.removeFirst(max(0, first - 1))
        }
    }

    var parameters: UnsafeMutablePointer<AVCodecParameters>? { stream.pointee.codecpar }

    var averageRate: AVRational { stream.pointee.avg_frame_rate }

    /// What the container says of the pictures: how they are turned, and of their light.
    var sideData: [(type: AVPacketSideDataType, bytes: [UInt8])] {
        let types = [
            AV_PKT_DATA_DISPLAYMATRIX, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
        ]
        return types.compactMap { type in
            var size = 0
            guard let data = av_stream_get_side_data(stream, type, &size) else { return nil }
            return (type, Array(UnsafeBufferPointer(start: data, count: size)))
        }
    }

    public var timeBase: Rational { stream.pointee.time_base.exact }

    /// How long what is seen or heard lasts; known behind the last packet.
    public var duration: MediaTime { MediaTime(ticks: min(shown, firstHidden), timeBase: timeBase) }

    /// The next packet in order of decoding, valid until the following call; nil at the end.
    /// - Throws: `MediaError` `cannotRead` or `outOfMemory`.
    public func next() throws(MediaError) -> Packet? {
        let found: Packet
        if held.isEmpty {
            guard try demuxer.read(into: packet) else { return nil }
            found = packet
        } else {
            found = held.removeFirst()
        }
        let limit = length - tolerance
        // A picture that stands already when the stretch begins is shown from then on.
        let time = found.presentationTicks
        let presentation = time == firstPicture ? 0 : time - start
        let decoding = found.decoding - start
        // Whatever is seen before the end is decoded before it.
        guard decoding < limit else { return nil }
        if presentation < limit {
            shown = max(shown, min(presentation + (found.durationTicks > 0 ? found.durationTicks : usualDuration), length))
        } else {
            firstHidden = min(firstHidden, presentation)
        }
        if found.pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 {
            damage?.add(
                .damagedPackets, source: hash, at: (MediaTime(ticks: time, timeBase: timeBase) - origin).doubleValue)
        }
        found.pointer.pointee.pts = presentation
        found.pointer.pointee.dts = decoding
        found.pointer.pointee.flags &= ~AV_PKT_FLAG_DISCARD
        return found
    }
}

extension StretchReader {
    /// The next packet of those that are seen, without those that others need; valid until the following call.
    func nextShown() throws(MediaError) -> Packet? {
        while let packet = try next() {
            if (0..<length - tolerance).contains(packet.presentationTicks) { return packet }
        }
        return nil
    }
}

extension Packet {
    /// When it is decoded, or shown where the container does not say.
    fileprivate var decoding: Int64 { decodingTicks == spool_no_timestamp ? presentationTicks : decodingTicks }
}
