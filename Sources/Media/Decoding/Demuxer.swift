import CFFmpeg
import ExactTime
import ExportPlan

/// An open container: its streams, its packets in file order, and seeking. Owns libav's format context.
final class Demuxer {
    /// The containers that may be read, without playlists, device formats and network formats.
    static let allowed = [
        "mov", "matroska", "webm", "mpegts", "mpeg", "avi", "flv", "asf", "mp3", "aac", "ac3", "flac", "ogg", "wav", "w64",
        "aiff", "caf", "amr", "gif", "apng", "jpeg_pipe", "png_pipe", "webp_pipe", "tiff_pipe", "bmp_pipe", "h264", "hevc",
        "m4v", "mpegvideo", "mjpeg", "ivf", "nut", "mxf",
    ].joined(separator: ",")

    let file: SourceFile
    private let stream: SourceStream
    private(set) var context: UnsafeMutablePointer<AVFormatContext>
    /// The indices of the selected streams; nil selects all.
    private var selected: Set<Int>?

    /// Opens a file and reads enough of it to know its streams; see `init(_:examinesStreams:)`.
    /// - Throws: `MediaError` `missing`, `unknownFormat`, `damaged`, `cannotRead` or `outOfMemory`.
    convenience init(path: String, examinesStreams: Bool = true) throws(MediaError) {
        try self.init(try SourceFile(path: path), examinesStreams: examinesStreams)
    }

    /// Reads enough of an open file to know its streams.
    /// - Parameter examinesStreams: whether to decode the first pictures, too, for what the container does not say of its
    ///   streams. Without it only MP4 and MOV tell enough for their packets to be read; all other containers are examined.
    /// - Throws: `MediaError` `unknownFormat`, `damaged`, `cannotRead` or `outOfMemory`.
    init(_ file: SourceFile, examinesStreams: Bool = true) throws(MediaError) {
        self.file = file
        let path = file.path
        stream = try SourceStream(file)
        LibavLog.begin()
        let made = try LibavResult.allocated(avformat_alloc_context(), path)
        made.pointee.pb = stream.context
        made.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT | AVFMT_FLAG_GENPTS
        // Nothing inside a file may open another one.
        made.pointee.io_open = { _, _, _, _, _ in spool_error_denied }
        var options: OpaquePointer?
        av_dict_set(&options, "format_whitelist", Demuxer.allowed, 0)
        // Demuxers ignore options that they do not know.
        for (name, value) in AnimationDelay.demuxerOptions { av_dict_set_int(&options, name, Int64(value), 0) }
        defer { av_dict_free(&options) }
        // libav frees the context itself when opening fails.
        var opening: UnsafeMutablePointer<AVFormatContext>? = made
        let code = avformat_open_input(&opening, nil, nil, &options)
        guard code >= 0 else { throw try Demuxer.openError(code, file) }
        let saysEnough = String(cString: made.pointee.iformat.pointee.name).hasPrefix("mov")
        let found = examinesStreams || !saysEnough ? avformat_find_stream_info(made, nil) : 0
        do throws(MediaError) {
            try file.check()
            try LibavResult.check(found, path, "cannot be read", .damaged)
        } catch {
            avformat_close_input(&opening)
            throw error
        }
        context = made
    }

    var path: String { file.path }

    deinit {
        var closing: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&closing)
    }

    /// libavformat's name for the container; the list of names for a family such as MP4 and MOV.
    var containerName: String { String(cString: context.pointee.iformat.pointee.name) }

    func streamPointer(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
        index < Int(context.pointee.nb_streams) ? context.pointee.streams[index] : nil
    }

    /// The stream that a player would choose, or nil if there is none. A cover picture does not count as video.
    func bestStream(_ type: AVMediaType) -> Int? {
        let index = av_find_best_stream(context, type, -1, -1, nil, 0)
        guard index >= 0, let stream = streamPointer(Int(index)) else { return nil }
        return stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0 ? Int(index) : nil
    }

    /// Selects the streams that are read from now on.
    func select(_ indexes: [Int]) {
        selected = Set(indexes)
        for index in 0..<Int(context.pointee.nb_streams) {
            streamPointer(index)?.pointee.discard = indexes.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// The next packet of a selected stream.
    /// - Returns: false at the end of the file. Damage that the demuxer cannot skip counts as the end, on every
    ///   machine; the packets before it are good.
    /// - Throws: `MediaError` `cannotRead` if the storage fails, which libav takes for the end or for damage, or
    ///   `outOfMemory`.
    func read(into packet: Packet) throws(MediaError) -> Bool {
        repeat {
            packet.unreference()
            let code = av_read_frame(context, packet.pointer)
            try file.check()
            guard code >= 0 else {
                if code == spool_error_no_memory { throw LibavResult.error(code, path, "cannot be read", .outOfMemory) }
                return false
            }
            // Packets that were read to detect the streams come out again, even of streams that are discarded by now.
        } while selected?.contains(packet.streamIndex) == false
        return true
    }

    /// Seeks to the last position at or before `timestamp` (in the stream's time base) at which decoding can start.
    /// - Returns: false if the container cannot seek.
    /// - Throws: as `read`.
    func seek(stream index: Int, to timestamp: Int64) throws(MediaError) -> Bool {
        let code = av_seek_frame(context, Int32(index), timestamp, AVSEEK_FLAG_BACKWARD)
        try file.check()
        if code == spool_error_no_memory { throw LibavResult.error(code, path, "needs more memory than there is", .outOfMemory) }
        return code >= 0
    }

    private static func openError(_ code: Int32, _ file: SourceFile) throws(MediaError) -> MediaError {
        try file.check()
        let path = file.path
        if let hint = try FormatHint.explain(file) { return MediaError(hint.code, subject: path, message: hint.message) }
        if code == spool_error_no_memory { return LibavResult.error(code, path, "cannot be opened", .unknownFormat) }
        if let line = LibavLog.lastLine, line.contains("moov atom not found") {
            return MovieIndex.fault(path)
        }
        if let cut = MovieIndex.cut(path) { return cut }
        return MediaError(.unknownFormat, subject: path, message: "is not a video, sound or picture in a format that can be read")
    }
}
