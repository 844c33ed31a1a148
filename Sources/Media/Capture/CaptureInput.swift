import CFFmpeg
import ExactTime
import ExportPlan
import Glibc

/// A source to capture: its location and its format.
package struct CaptureSource: Hashable, Sendable {
    /// A path, `-` for standard input, or an address that libavformat opens.
    package var location: String
    /// libavformat's name of the format; nil detects it from the first bytes.
    package var format: String?
    /// The layout of raw media; nil for all others.
    package var raw: RawFormat?

    package init(_ location: String, format: String? = nil, raw: RawFormat? = nil) {
        self.location = location
        self.format = format
        self.raw = raw
    }

    var isAddress: Bool { location.contains("://") }

    /// The source's name in messages.
    var name: String { location == "-" ? "standard input" : location }
}

/// An open source that is read once from start to end: the streams that are captured, and their packets.
final class CaptureInput {
    let source: CaptureSource
    var name: String { source.name }
    /// Nil if libavformat opens the input itself.
    let stream: IncomingStream?
    private let descriptor: Int32
    private let context: UnsafeMutablePointer<AVFormatContext>
    /// The indices of the best picture stream and the best sound stream.
    let streams: [Int]
    /// Assigns times to the pictures of a stream that has none; nil for all others.
    private var order: PictureOrder?
    private var ends: [Int: Rational] = [:]
    private var origin: Rational?
    private(set) var isOver = false
    /// Whether reading ended with an error, as it does for a file whose index follows the media.
    private(set) var hasBroken = false

    /// - Parameter copy: a file descriptor that gets the bytes unchanged; nil for an address.
    /// - Throws: `MediaError` if the source cannot be opened, or ends before its format can be detected.
    init(_ source: CaptureSource, copy: Int32?) throws(MediaError) {
        self.source = source
        let name = source.name
        if source.isAddress {
            descriptor = -1
            stream = nil
        } else {
            descriptor = source.location == "-" ? dup(STDIN_FILENO) : open(source.location, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw MediaError(.missing, subject: name, message: "cannot be opened: \(String(cString: strerror(errno)))")
            }
            do {
                stream = try IncomingStream(descriptor, copy: copy)
            } catch {
                close(descriptor)
                throw error
            }
        }
        do {
            context = try CaptureInput.opened(source, stream, name)
        } catch {
            if descriptor >= 0 { close(descriptor) }
            throw error
        }
        streams = [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO].compactMap { [context] type in
            let index = av_find_best_stream(context, type, -1, -1, nil, 0)
            return index >= 0 ? Int(index) : nil
        }
        if let first = streams.first, let picture = pointer(first) {
            order = try PictureOrder(context.pointee.iformat, picture, name)
        }
    }

    /// Whether the stored bytes do not contain the times at which pictures are shown.
    var hasNoTimes: Bool { order != nil }

    /// The time base of a stream's packets.
    func clock(_ index: Int) -> AVRational { order?.clock ?? pointer(index)?.pointee.time_base ?? AVRational(num: 1, den: 1) }

    deinit {
        var closing: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&closing)
        if descriptor >= 0 { close(descriptor) }
    }

    private static func opened(
        _ source: CaptureSource, _ stream: IncomingStream?, _ name: String
    ) throws(MediaError) -> UnsafeMutablePointer<AVFormatContext> {
        avformat_network_init()
        LibavLog.begin()
        let made = try LibavResult.allocated(avformat_alloc_context(), name)
        made.pointee.flags |= AVFMT_FLAG_GENPTS
        made.pointee.interrupt_callback.callback = { _ in CaptureEnd.isAsked ? 1 : 0 }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if let stream {
            made.pointee.pb = stream.context
            made.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
            // Nothing in the input may open another file or address.
            made.pointee.io_open = { _, _, _, _, _ in spool_error_denied }
            if source.raw == nil { av_dict_set(&options, "format_whitelist", Demuxer.allowed, 0) }
        }
        for (key, value) in source.raw?.options ?? [] { av_dict_set(&options, key, value, 0) }
        let format = (source.raw?.demuxer ?? source.format).map { av_find_input_format($0) }
        // libav frees the context itself when opening fails.
        var opening: UnsafeMutablePointer<AVFormatContext>? = made
        if let wanted = format, wanted == nil {
            avformat_close_input(&opening)
            throw MediaError(
                .unknownFormat, subject: name,
                message: "cannot be read as '\(source.format ?? "")', a format that is not known; `ffmpeg -demuxers` lists them")
        }
        var code = avformat_open_input(&opening, stream == nil ? source.location : nil, format ?? nil, &options)
        guard code >= 0 else {
            if stream?.byteCount == 0 { throw MediaError(.damaged, subject: name, message: "ended before anything came") }
            throw LibavResult.error(code, name, "cannot be opened", .unknownFormat)
        }
        if source.raw == nil {
            code = avformat_find_stream_info(made, nil)
            if code < 0 {
                avformat_close_input(&opening)
                throw LibavResult.error(code, name, "cannot be read", .damaged)
            }
        }
        return made
    }

    func pointer(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
        index < Int(context.pointee.nb_streams) ? context.pointee.streams[index] : nil
    }

    /// Reads the next packet of the captured streams; returns false at the end.
    func read(into packet: Packet) throws(MediaError) -> Bool {
        guard let order else {
            guard try readStored(into: packet) else { return false }
            note(packet)
            return true
        }
        while !order.next(into: packet) {
            guard !isOver else { return false }
            try order.add(try readStored(into: packet) ? packet : nil)
        }
        note(packet)
        return true
    }

    /// - Throws: `MediaError` `cannotRead` if reading failed, which libavformat takes for the end of the file.
    private func readStored(into packet: Packet) throws(MediaError) -> Bool {
        while !isOver {
            packet.unreference()
            let code = av_read_frame(context, packet.pointer)
            if let error = stream?.readError, error != 0 {
                throw MediaError(.cannotRead, subject: name, message: "cannot be read: \(String(cString: strerror(error)))")
            }
            guard code >= 0 else {
                isOver = true
                hasBroken = code != spool_error_eof
                return false
            }
            let whole = source.raw?.packetSize ?? 0
            guard streams.contains(packet.streamIndex), whole == 0 || packet.byteCount == whole else { continue }
            return true
        }
        return false
    }

    private func note(_ packet: Packet) {
        let base = clock(packet.streamIndex).exact
        let ticks = packet.decodingTicks != spool_no_timestamp ? packet.decodingTicks : packet.presentationTicks
        // Without any timestamps, the packets' durations are added up.
        let start =
            ticks != spool_no_timestamp ? Rational(ticks, 1) * base : (ends[packet.streamIndex] ?? origin ?? .zero)
        origin = origin.map { min($0, start) } ?? start
        ends[packet.streamIndex] = start + Rational(packet.durationTicks, 1) * base
    }

    /// The time in seconds, from the start of the source, up to which packets of all its streams have been read.
    var reach: Rational {
        guard let origin, let least = ends.values.min(), let most = ends.values.max() else { return .zero }
        // A stream that is silent for seconds, or has ended, must not hold back the others: it counts as at most 2 s
        // behind.
        return (ends.count < streams.count ? most - Rational(2) : max(least, most - Rational(2))) - origin
    }
}
