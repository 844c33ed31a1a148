import CFFmpeg
import ExactTime

/// The times of every packet of a file's chosen streams, read once from start to end.
struct PacketScan {
    private struct Entry {
        var timestamp: Int64
        var duration: Int64
        var isKeyframe: Bool
    }

    /// What the picture packets say together.
    struct VideoTiming {
        var frameRate: FrameRate
        var isVariable: Bool
        var frameCount: Int
        var duration: MediaTime
        var keyframes: [MediaTime]
    }

    let byteCount: Int64
    private var entries: [Int: [Entry]] = [:]
    private var counts: [Int: Int] = [:]

    /// - Parameter step: called for each packet.
    init(path: String, streams: [Int], _ step: () -> Void) throws(MediaError) {
        let demuxer = try Demuxer(path: path)
        byteCount = avio_size(demuxer.context.pointee.pb)
        demuxer.select(streams)
        let packet = try Packet()
        while demuxer.read(into: packet) {
            step()
            let stream = packet.streamIndex
            counts[stream, default: 0] += 1
            let codec = demuxer.streamPointer(stream)?.pointee.codecpar.pointee.codec_id ?? AV_CODEC_ID_NONE
            guard !packet.isDiscarded, packet.isShown(codec), let timestamp = packet.timestamp else { continue }
            entries[stream, default: []].append(
                Entry(timestamp: timestamp, duration: packet.duration, isKeyframe: packet.isKeyframe))
        }
        for stream in streams { entries[stream]?.sort { $0.timestamp < $1.timestamp } }
    }

    /// All packets of a stream, those included that are never shown.
    func packetCount(of stream: Int) -> Int { counts[stream] ?? 0 }

    /// The container time that is source time 0: the picture's start; the sound's where that comes first by more than
    /// a tenth of a second (less than that is a container's rounding, and would put every frame off its place).
    /// - Parameter sound: when the first decoded sample is heard, in container time.
    func origin(video: Int?, sound: MediaTime?, _ demuxer: Demuxer) -> MediaTime {
        let picture = video.flatMap { start(ofVideo: $0, demuxer) }
        guard let picture else { return sound ?? .zero }
        guard let sound, picture - sound > MediaTime(Rational(1, 10)) else { return picture }
        return sound
    }

    /// When the first picture is shown, in container time.
    private func start(ofVideo index: Int, _ demuxer: Demuxer) -> MediaTime? {
        guard let stream = demuxer.streamPointer(index), let ticks = entries[index]?.first?.timestamp else { return nil }
        return MediaTime(ticks: ticks, timeBase: stream.pointee.time_base.exact)
    }

    /// Frame rate, exact duration and keyframes of a picture stream; nil when it has no packet.
    func videoTiming(of index: Int, _ stream: UnsafeMutablePointer<AVStream>, _ origin: MediaTime) -> VideoTiming? {
        guard let packets = entries[index], let first = packets.first, let last = packets.last else { return nil }
        let timeBase = stream.pointee.time_base.exact
        let start = MediaTime(ticks: first.timestamp, timeBase: timeBase) - origin
        let keyframes = packets.filter(\.isKeyframe).map { MediaTime(ticks: $0.timestamp, timeBase: timeBase) - origin }
        if let rate = constantRate(packets.map(\.timestamp), stream, timeBase) {
            return VideoTiming(
                frameRate: rate, isVariable: false, frameCount: packets.count,
                duration: start + rate.time(ofFrame: packets.count), keyframes: keyframes)
        }
        let gaps = zip(packets, packets.dropFirst()).map { $1.timestamp - $0.timestamp }.filter { $0 > 0 }.sorted()
        let median = gaps.isEmpty ? 0 : gaps[gaps.count / 2]
        // The container's own word where it goes on longer: cameras give a last frame of no length.
        let declared = stream.pointee.duration > 0 ? first.timestamp + stream.pointee.duration : 0
        let end = max(last.timestamp + max(1, last.duration > 0 ? last.duration : median), declared)
        return VideoTiming(
            frameRate: nearestStandardRate(median, timeBase) ?? FrameRate(25), isVariable: packets.count > 1,
            frameCount: packets.count,
            duration: MediaTime(ticks: end, timeBase: timeBase) - origin, keyframes: keyframes)
    }

    /// From source time 0 to the end of the last sample.
    func audioDuration(of index: Int, _ stream: UnsafeMutablePointer<AVStream>, _ origin: MediaTime) -> MediaTime {
        let timeBase = stream.pointee.time_base.exact
        let ends = (entries[index] ?? []).map { $0.timestamp + $0.duration }
        var end = ends.max() ?? 0
        if stream.pointee.duration > 0, stream.pointee.start_time != spool_no_timestamp {
            end = min(end, stream.pointee.start_time + stream.pointee.duration)
        }
        return max(.zero, MediaTime(ticks: end, timeBase: timeBase) - origin)
    }

    // MARK: Rates

    /// The rate at which every frame stands within one tick (and a quarter of a frame) of its place, if there is one.
    private func constantRate(
        _ timestamps: [Int64], _ stream: UnsafeMutablePointer<AVStream>, _ timeBase: Rational
    ) -> FrameRate? {
        let declared = [stream.pointee.avg_frame_rate.exact, stream.pointee.r_frame_rate.exact].filter {
            $0 > .zero && $0 <= Rational(1000)
        }
        // What the container says, read as a standard rate (29.97 as 30000/1001); then any standard rate; then its word.
        let meant = declared.compactMap { rate in
            PacketScan.standardRates.first { (($0 - rate) / rate).magnitude < Rational(1, 10_000) }
        }
        let candidates = meant + PacketScan.standardRates + declared
        guard timestamps.count > 1 else { return (meant + declared).first.flatMap(FrameRate.init) }
        let span = Rational(timestamps[timestamps.count - 1] - timestamps[0], 1) * timeBase
        guard span > .zero else { return nil }
        let average = Rational(timestamps.count - 1) / span
        return candidates.lazy.filter { (($0 - average) / average).magnitude < Rational(1, 100) }
            .compactMap(FrameRate.init).first { fits($0, timestamps, timeBase) }
    }

    private func fits(_ rate: FrameRate, _ timestamps: [Int64], _ timeBase: Rational) -> Bool {
        let ticksPerFrame = rate.frameDuration.seconds / timeBase
        guard ticksPerFrame >= .one else { return false }
        let tolerance = min(.one, ticksPerFrame * Rational(1, 4))
        for (index, timestamp) in timestamps.enumerated() {
            let offset = Rational(timestamp - timestamps[0], 1) - Rational(index) * ticksPerFrame
            if offset.magnitude > tolerance { return false }
        }
        return true
    }

    /// Rates that cameras and editors use.
    private static let standardRates: [Rational] =
        [5, 6, 8, 10, 12, 15, 16, 18, 20, 24, 25, 30, 48, 50, 60, 90, 100, 120, 144, 240].map { Rational($0) }
        + [Rational(25, 2)] + [24, 30, 60, 120, 240, 48].map { Rational($0 * 1000, 1001) }

    /// The standard rate within 3 % of one frame per `gap` ticks, else exactly that.
    private func nearestStandardRate(_ gap: Int64, _ timeBase: Rational) -> FrameRate? {
        guard gap > 0, timeBase > .zero else { return nil }
        let exact = Rational.one / (Rational(gap, 1) * timeBase)
        let near = PacketScan.standardRates.min { (($0 - exact).magnitude) < (($1 - exact).magnitude) }
        if let near, ((near - exact) / exact).magnitude < Rational(3, 100) { return FrameRate(near) }
        return FrameRate(exact)
    }
}
