import CFFmpeg
import ContentHashing
import ExactTime
import ExportPlan

/// The times of every packet of a file's chosen streams, read once from start to end.
struct PacketScan {
    private struct Entry {
        var timestamp: Int64
        var duration: Int64
        var isKeyframe: Bool
    }

    let byteCount: Int64
    private var entries: [Int: [Entry]] = [:]
    private var counts: [Int: Int] = [:]
    private var groups: [Int: GroupScan] = [:]
    /// The declared end of each stream that ends earlier, in ticks.
    private var declaredEnds: [Int: Int64] = [:]

    /// - Parameters:
    ///   - streams: the streams whose packets have to fit into the limit.
    ///   - others: further streams. Where they have more packets together, nothing is known of them afterwards.
    ///   - packetLimit: the most packets of the streams together, and of the others together.
    ///   - step: called for each packet.
    init(_ file: SourceFile, streams: [Int], others: [Int] = [], packetLimit: Int, _ step: () -> Void) throws(MediaError) {
        let demuxer = try Demuxer(file)
        byteCount = Int64(file.byteCount)
        demuxer.select(streams + others)
        let packet = try Packet()
        var limits = MediaLimits(file.path, packets: packetLimit)
        var otherPackets = 0
        while try demuxer.read(into: packet) {
            step()
            try file.checkTime()
            let stream = packet.streamIndex
            if others.contains(stream) {
                try limits.checkTime()
                otherPackets += 1
                guard otherPackets <= packetLimit else { continue }
            } else {
                try limits.countPacket()
            }
            counts[stream, default: 0] += 1
            let parameters = demuxer.streamPointer(stream)?.pointee.codecpar
            guard !packet.isDiscarded, packet.isShown(parameters?.pointee.codec_id ?? AV_CODEC_ID_NONE),
                let timestamp = packet.timestamp
            else { continue }
            groups[stream, default: GroupScan(parameters)].add(packet, timestamp)
            entries[stream, default: []].append(
                Entry(timestamp: timestamp, duration: packet.duration, isKeyframe: packet.isKeyframe))
        }
        if otherPackets > packetLimit {
            for stream in others { (entries[stream], counts[stream]) = (nil, nil) }
        }
        for stream in streams + others {
            entries[stream]?.sort { $0.timestamp < $1.timestamp }
            let end = entries[stream]?.map { $0.timestamp + $0.duration }.max() ?? 0
            declaredEnds[stream] = try DeclaredEnd.ticks(demuxer, stream: stream, count: counts[stream] ?? 0, end: end)
        }
    }

    /// The duration that the container declares for a stream, if the stream is shorter than declared; otherwise nil.
    func declaredDuration(of index: Int, _ stream: UnsafeMutablePointer<AVStream>, _ origin: MediaTime) -> MediaTime? {
        declaredEnds[index].map { MediaTime(ticks: $0, timeBase: stream.pointee.time_base.exact) - origin }
    }

    /// The number of packets of a stream, including those that are never shown.
    func packetCount(of stream: Int) -> Int { counts[stream] ?? 0 }

    /// The container time that is source time 0: the start of the picture, or the start of the sound if it is earlier
    /// by more than a tenth of a second. A smaller difference comes from rounding in the container, and using it would
    /// shift every frame off its regular time.
    /// - Parameter sound: the container time at which the first decoded sample is heard.
    func origin(video: Int?, sound: MediaTime?, _ demuxer: Demuxer) -> MediaTime {
        let picture = video.flatMap { start(ofVideo: $0, demuxer) }
        guard let picture else { return sound ?? .zero }
        guard let sound, picture - sound > MediaTime(Rational(1, 10)) else { return picture }
        return sound
    }

    /// The container time at which the first picture is shown.
    private func start(ofVideo index: Int, _ demuxer: Demuxer) -> MediaTime? {
        guard let stream = demuxer.streamPointer(index), let ticks = entries[index]?.first?.timestamp else { return nil }
        return MediaTime(ticks: ticks, timeBase: stream.pointee.time_base.exact)
    }

    /// The facts about a video stream's packets that are needed to copy them.
    func packetFacts(of index: Int, _ stream: UnsafeMutablePointer<AVStream>, _ origin: MediaTime) -> PacketFacts {
        let parameters = stream.pointee.codecpar.pointee
        let setup = UnsafeRawBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size))
        func time(_ ticks: Int64) -> MediaTime { MediaTime(ticks: ticks, timeBase: stream.pointee.time_base.exact) - origin }
        let open = (groups[index]?.openGroups ?? []).map {
            PacketFacts.OpenKeyframe(
                time: time($0.keyframe), firstShown: time($0.firstShown), canFollowOthers: $0.isRandomAccessPoint)
        }
        return PacketFacts(setup: ContentHash.of(setup), openKeyframes: open)
    }

    /// The frame rate, exact duration and keyframes of a video stream; nil if it has no packet.
    func videoTiming(of index: Int, _ stream: UnsafeMutablePointer<AVStream>, _ origin: MediaTime) -> VideoTiming? {
        guard let packets = entries[index], let first = packets.first, let last = packets.last else { return nil }
        let timeBase = stream.pointee.time_base.exact
        let start = MediaTime(ticks: first.timestamp, timeBase: timeBase) - origin
        let keyframes = packets.filter(\.isKeyframe).map { MediaTime(ticks: $0.timestamp, timeBase: timeBase) - origin }
        let times = FrameTimes(
            starts: packets.map(\.timestamp), timeBase: timeBase,
            declaredRates: [stream.pointee.avg_frame_rate.exact, stream.pointee.r_frame_rate.exact])
        if let rate = times.constantRate {
            return VideoTiming(
                frameRate: rate, isVariable: false, frameCount: packets.count,
                duration: start + rate.time(ofFrame: packets.count), keyframes: keyframes)
        }
        // A longer duration declared by the container is used: cameras store a last frame with a duration of zero.
        let declared = stream.pointee.duration > 0 && declaredEnds[index] == nil ? first.timestamp + stream.pointee.duration : 0
        let end = max(last.timestamp + max(1, last.duration > 0 ? last.duration : times.medianGap), declared)
        return VideoTiming(
            frameRate: times.typicalRate ?? FrameRate(25), isVariable: packets.count > 1,
            frameCount: packets.count,
            duration: MediaTime(ticks: end, timeBase: timeBase) - origin, keyframes: keyframes)
    }

    /// The timing of an animated picture (GIF, APNG), in which each frame has a duration, including the last. Only its
    /// first frame is sure to decode by itself, even if others are marked as keyframes.
    func animationTiming(of index: Int, _ stream: UnsafeMutablePointer<AVStream>) -> VideoTiming? {
        guard let packets = entries[index], let first = packets.first, let last = packets.last else { return nil }
        return VideoTiming(
            animation: packets.map { $0.timestamp - first.timestamp }, end: last.timestamp - first.timestamp + last.duration,
            timeBase: stream.pointee.time_base.exact)
    }

    /// The duration from source time 0 to the end of the last sample.
    func audioDuration(of index: Int, _ stream: UnsafeMutablePointer<AVStream>, _ origin: MediaTime) -> MediaTime {
        let timeBase = stream.pointee.time_base.exact
        let ends = (entries[index] ?? []).map { $0.timestamp + $0.duration }
        var end = ends.max() ?? 0
        if stream.pointee.duration > 0, stream.pointee.start_time != spool_no_timestamp {
            end = min(end, stream.pointee.start_time + stream.pointee.duration)
        }
        return max(.zero, MediaTime(ticks: end, timeBase: timeBase) - origin)
    }
}
