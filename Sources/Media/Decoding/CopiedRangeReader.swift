import CFFmpeg
package import ExactTime
package import ExportPlan

/// Reads a copied range of a source's stream: the packets that are seen or heard, and those that are needed to decode
/// them. Times count from the start of the range; packets before it have negative times.
package final class CopiedRangeReader {
    package enum Track: Sendable { case video, audio }

    private let demuxer: Demuxer
    private let index: Int
    private let stream: UnsafeMutablePointer<AVStream>
    private let track: Track
    private let hash: String
    /// The container time that is source time 0.
    private let origin: MediaTime
    private let damage: DamageLog?
    /// Packets that were read in advance to find the first one.
    private var held: [Packet] = []
    private let packet: Packet
    /// The stream time that is time 0 of the range, in ticks. At a constant frame rate it is the start of the first
    /// picture, so that the rate stays constant. At a variable rate it is exactly the requested time.
    private var start: Int64
    /// The stream time of the first picture that is seen, in ticks.
    private var firstPicture = Int64.min
    /// The length of the range, and the time before its end from which a picture no longer counts as started, both in
    /// ticks.
    private let length, tolerance: Int64
    /// The duration of what is seen or heard, and the start of the first picture that is not seen, both in ticks.
    private var shown: Int64 = 0
    private var firstHidden = Int64.max
    /// The duration assumed for packets that declare none, in ticks.
    private let usualDuration: Int64
    /// More packets than a stream's first picture is delayed by reordering: at most 16 (ITU-T H.264 and H.265).
    private static let reordering = 32

    /// - Throws: `MediaError` if the file cannot be read or has no such stream.
    /// - Parameter damage: records packets that the container marks as damaged.
    package init(
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
            throw MediaError(
                .damaged, subject: source.path, message: "lacks the stream that is copied; start the export again")
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
        try findStart(source.path, second: max(1, ticks(MediaTime(seconds: 1))))
        if let video = facts.video, track == .video, !video.isVariableFrameRate { start = firstPicture }
    }

    /// Seeks to the packet at which decoding has to begin. For video it is the last keyframe before the first picture
    /// that is seen. For sound it is the packet before the first one that is heard, because audio transforms overlap
    /// two packets.
    private func findStart(_ path: String, second: Int64) throws(MediaError) {
        let wanted = start + tolerance
        let beginning = Int64((origin.seconds / timeBase).rounded) - second
        var back: Int64 = track == .video ? 0 : second / 10
        var sought = wanted
        repeat {
            guard try demuxer.seek(stream: index, to: wanted - back) else {
                throw MediaError(
                    .damaged, subject: path,
                    message: "cannot be searched for the start of the clip; export it with another preset than passthrough")
            }
            held = []
            while try demuxer.read(into: packet) {
                if held.isEmpty, !packet.isKeyframe { continue }
                let next = try Packet()
                av_packet_move_ref(next.pointer, packet.pointer)
                held.append(next)
                // The first packets of Matroska have no decoding times, and are decoded before others that are seen earlier.
                if next.hasDecodingTime || held.count > CopiedRangeReader.reordering, next.decoding > wanted { break }
            }
            sought = wanted - back
            back = max(second, back * 2)
            // Some containers, as MPEG-TS, seek to a position after the requested one, or after the last keyframe before it.
        } while (held.first?.presentationTicks ?? .max) > wanted && sought > beginning
        guard !held.isEmpty else {
            throw MediaError(
                .damaged, subject: path,
                message: "has no packet at the start of the clip; export it with another preset than passthrough")
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
        try placeUntimed()
    }

    /// Gives decoding times to the first packets if they have none, as in Matroska, where a stream reorders its pictures.
    /// They are decoded just before the packet that follows them, one usual duration apart, and before they are seen.
    private func placeUntimed() throws(MediaError) {
        var isWhole = false
        while let last = held.last, !last.hasDecodingTime, held.count < CopiedRangeReader.reordering, !isWhole {
            let next = try Packet()
            if try demuxer.read(into: next) { held.append(next) } else { isWhole = true }
        }
        if let timed = held.firstIndex(where: \.hasDecodingTime) {
            for index in (0..<timed).reversed() {
                let before = held[index + 1].decodingTicks &- usualDuration
                held[index].pointer.pointee.dts = held[index].timestamp.map { min($0, before) } ?? before
            }
        } else if isWhole {
            // The rest of the stream is shorter than its reordering: pictures are decoded in the rhythm in which they are seen.
            let seen = held.map(\.presentationTicks)
            let rhythm = seen.sorted()
            let delay = zip(rhythm, seen).map { $0 &- $1 }.max() ?? 0
            for (packet, time) in zip(held, rhythm) { packet.pointer.pointee.dts = time &- delay }
        }
    }

    var parameters: UnsafeMutablePointer<AVCodecParameters>? { stream.pointee.codecpar }

    var averageRate: AVRational { stream.pointee.avg_frame_rate }

    /// The container's side data about the pictures: rotation and HDR metadata.
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

    package var timeBase: Rational { stream.pointee.time_base.exact }

    /// The duration of what is seen or heard; known after the last packet.
    package var duration: MediaTime { MediaTime(ticks: min(shown, firstHidden), timeBase: timeBase) }

    /// The next packet in decoding order, valid until the following call; nil at the end.
    /// - Throws: `MediaError` `cannotRead` or `outOfMemory`.
    package func next() throws(MediaError) -> Packet? {
        let found: Packet
        if held.isEmpty {
            guard try demuxer.read(into: packet) else { return nil }
            found = packet
        } else {
            found = held.removeFirst()
        }
        let limit = length - tolerance
        // A picture that started before the range is shown from the start of the range.
        let time = found.presentationTicks
        let presentation = time == firstPicture ? 0 : time - start
        let decoding = found.decoding - start
        // Every picture that is seen before the end of the range is also decoded before it.
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

extension CopiedRangeReader {
    /// The next packet that is seen, without packets that only others need; valid until the following call.
    func nextShown() throws(MediaError) -> Packet? {
        while let packet = try next() {
            if (0..<length - tolerance).contains(packet.presentationTicks) { return packet }
        }
        return nil
    }
}

extension Packet {
    fileprivate var hasDecodingTime: Bool { decodingTicks != spool_no_timestamp }

    /// The decoding time, or else the presentation time, in ticks.
    fileprivate var decoding: Int64 { hasDecodingTime ? decodingTicks : presentationTicks }
}
