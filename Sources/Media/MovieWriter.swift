import CFFmpeg
public import ExactTime
public import ExportPlan
import Vocabulary

/// Writes packets into a file. Reproducible: no clock, no library version in it.
///
/// The movie's own clock runs at a multiple of frame rate and sample rate where one fits, so that edit lists are exact.
public final class MovieWriter {
    public enum Track: Hashable, Sendable {
        case video, audio
        /// Several, counted from 0.
        case subtitles(Int)
        case cover
    }

    let path: String
    let context: UnsafeMutablePointer<AVFormatContext>
    private var streams: [Track: (index: Int32, timeBase: AVRational)] = [:]
    private var isHeaderWritten = false
    let settings: ContainerSettings
    private var clocks: [Int64] = []
    /// Where each stream ends so far, in ticks of its own clock.
    private var ends: [Int32: Int64] = [:]

    /// Opens `path` for writing; the file is complete only after `finish`.
    /// - Throws: `MediaError` `cannotWrite`.
    public init(path: String, _ settings: ContainerSettings) throws(MediaError) {
        self.path = path
        self.settings = settings
        var made: UnsafeMutablePointer<AVFormatContext>?
        LibavLog.begin()
        try LibavResult.check(
            avformat_alloc_output_context2(&made, nil, settings.fileType.muxer, path), path, "cannot be written")
        let opened = try LibavResult.allocated(made, path)
        opened.pointee.flags |= AVFMT_FLAG_BITEXACT
        let code = avio_open(&opened.pointee.pb, path, AVIO_FLAG_WRITE)
        if code < 0 {
            avformat_free_context(opened)
            throw LibavResult.error(code, path, "cannot be created", .cannotWrite)
        }
        context = opened
        for (key, value) in settings.metadata.sorted(by: { $0.key < $1.key }) {
            av_dict_set(&context.pointee.metadata, key, value, 0)
        }
    }

    deinit {
        avio_closep(&context.pointee.pb)
        avformat_free_context(context)
    }

    /// Adds a track with an encoder's parameters.
    public func add(_ encoder: VideoEncoder) throws(MediaError) {
        let stream = try newStream(.video, timeBase: encoder.context.pointer.pointee.time_base)
        avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context.pointer)
        stream.pointee.avg_frame_rate = encoder.context.pointer.pointee.framerate
        stream.pointee.codecpar.pointee.codec_tag = 0
        if let light = settings.light { try light.add(to: stream) }
        // libx264 is told.
        if let level = encoder.level, encoder.codec == .hevc {
            try BitstreamFilter.setLevel(level, ofHEVC: stream.pointee.codecpar, path)
        }
    }

    /// Adds a track with an encoder's parameters.
    public func add(_ encoder: AudioEncoder) throws(MediaError) {
        let stream = try newStream(.audio, timeBase: encoder.context.pointer.pointee.time_base)
        avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context.pointer)
    }

    /// Adds a track whose packets are copied.
    /// - Parameter timeBase: the clock of the packets that will be written.
    public func add(copying reader: PacketReader, _ track: Track, timeBase: Rational) throws(MediaError) {
        let base = AVRational(num: Int32(timeBase.numerator), den: Int32(timeBase.denominator))
        let stream = try newStream(track, timeBase: base)
        avcodec_parameters_copy(stream.pointee.codecpar, reader.parameters)
        stream.pointee.codecpar.pointee.codec_tag = settings.fileType.tag(of: stream.pointee.codecpar.pointee.codec_id)
        guard track == .video else { return }
        stream.pointee.avg_frame_rate = AVRational(num: base.den, den: base.num)
        if let light = settings.light { try light.add(to: stream) }
    }

    /// Adds a track of timed text, whose clock counts milliseconds: 3GPP TS 26.245 in MP4 and MOV, WebVTT in WebM, SubRip in Matroska.
    /// - Parameter language: as ISO 639-2 has it.
    public func addSubtitles(_ number: Int, language: String) throws(MediaError) {
        let stream = try newStream(.subtitles(number), timeBase: AVRational(num: 1, den: 1000))
        av_dict_set(&stream.pointee.metadata, "language", settings.fileType.languageName(language), 0)
        let parameters = stream.pointee.codecpar
        parameters?.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        guard settings.fileType.isISO else {
            parameters?.pointee.codec_id = settings.fileType == .webm ? AV_CODEC_ID_WEBVTT : AV_CODEC_ID_SUBRIP
            return
        }
        parameters?.pointee.codec_id = AV_CODEC_ID_MOV_TEXT
        parameters?.pointee.codec_tag = TimedText.tag
        let entry = TimedText.sampleEntry
        let bytes = try LibavResult.allocated(
            av_mallocz(entry.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))?.assumingMemoryBound(to: UInt8.self), path)
        bytes.update(from: entry, count: entry.count)
        parameters?.pointee.extradata = bytes
        parameters?.pointee.extradata_size = Int32(entry.count)
    }

    /// Writes a text that is shown for a while, the earlier one first; none overlap.
    /// - Parameters:
    ///   - start: milliseconds of the film's time.
    ///   - duration: milliseconds.
    public func writeSubtitle(_ text: String, number: Int, start: Int64, duration: Int64) throws(MediaError) {
        let packet = try Packet()
        let bytes = settings.fileType.isISO ? TimedText.sample(text) : Array(text.utf8)
        try LibavResult.check(av_new_packet(packet.pointer, Int32(bytes.count)), path, "cannot be written", .outOfMemory)
        packet.pointer.pointee.data.update(from: bytes, count: bytes.count)
        packet.pointer.pointee.pts = start
        packet.pointer.pointee.dts = start
        packet.pointer.pointee.duration = duration
        packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
        try write(packet, track: .subtitles(number))
    }

    /// Adds a picture that players show for the file.
    /// - Parameter picture: what was found out about the file.
    public func addCover(_ picture: VideoFacts) throws(MediaError) {
        let stream = try newStream(.cover, timeBase: AVRational(num: 1, den: 90_000))
        let parameters = stream.pointee.codecpar
        parameters?.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        parameters?.pointee.codec_id = picture.codec == "png" ? AV_CODEC_ID_PNG : AV_CODEC_ID_MJPEG
        parameters?.pointee.width = Int32(picture.size.width)
        parameters?.pointee.height = Int32(picture.size.height)
        stream.pointee.disposition = AV_DISPOSITION_ATTACHED_PIC
    }

    /// - Parameter file: the bytes of the picture's file.
    public func writeCover(_ file: [UInt8]) throws(MediaError) {
        let packet = try Packet()
        try LibavResult.check(av_new_packet(packet.pointer, Int32(file.count)), path, "cannot be written", .outOfMemory)
        packet.pointer.pointee.data.update(from: file, count: file.count)
        packet.pointer.pointee.pts = 0
        packet.pointer.pointee.dts = 0
        packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
        try write(packet, track: .cover)
    }

    func newStream(_ track: Track, timeBase: AVRational) throws(MediaError) -> UnsafeMutablePointer<AVStream> {
        let stream = try LibavResult.allocated(avformat_new_stream(context, nil), path)
        stream.pointee.time_base = timeBase
        streams[track] = (stream.pointee.index, timeBase)
        // A cover has no times that the film's clock would have to fit.
        if track != .cover { clocks.append(Int64(timeBase.den)) }
        return stream
    }

    /// Writes one packet; its times are in its track's clock. Tracks are interleaved by libav.
    func write(_ packet: Packet, track: Track) throws(MediaError) {
        if !isHeaderWritten { try writeHeader() }
        guard let stream = streams[track] else { preconditionFailure("a packet for a track that was not added") }
        packet.pointer.pointee.stream_index = stream.index
        if track == .video, packet.duration == 0 { packet.pointer.pointee.duration = 1 }
        let actual = context.pointee.streams[Int(stream.index)]?.pointee.time_base ?? stream.timeBase
        if track != .cover { ends[stream.index] = max(ends[stream.index] ?? 0, packet.presentationTicks + packet.duration) }
        packet.delay(by: blockDelay(stream.index))
        av_packet_rescale_ts(packet.pointer, stream.timeBase, actual)
        LibavLog.begin()
        try LibavResult.check(av_interleaved_write_frame(context, packet.pointer), path, "cannot be written")
    }

    /// Completes the file and closes it.
    public consuming func finish() throws(MediaError) {
        if !isHeaderWritten { try writeHeader() }
        LibavLog.begin()
        try LibavResult.check(av_write_trailer(context), path, "cannot be completed")
        avio_flush(context.pointee.pb)
        try LibavResult.check(context.pointee.pb.pointee.error, path, "cannot be written", .cannotWrite)
        try LibavResult.check(avio_closep(&context.pointee.pb), path, "cannot be closed", .cannotWrite)
        if settings.fileType.isISO { try checkWhole() }
        guard settings.fileType.isMatroska else { return }
        let lengths = streams.values.sorted { $0.index < $1.index }.map { stream in
            Rational(ends[stream.index] ?? 0, 1) * stream.timeBase.exact
        }
        try MatroskaLength.declare(lengths, in: path)
    }

    /// Ticks that the blocks of a stream come later in Matroska than the sound in them is heard: Opus begins with samples that nobody hears
    /// (`CodecDelay`; RFC 9559, section 5.1.4.1.25), and the first block is at 0. Everywhere else packets have times before 0.
    private func blockDelay(_ index: Int32) -> Int64 {
        guard settings.fileType.isMatroska, let parameters = context.pointee.streams[Int(index)]?.pointee.codecpar,
            parameters.pointee.codec_id == AV_CODEC_ID_OPUS
        else { return 0 }
        return Int64(parameters.pointee.initial_padding)
    }

    /// libavformat reads the file again to put its index in front, and takes a failure to read for the end of the file.
    /// - Throws: `MediaError` `cannotWrite` where the boxes do not fill the file.
    private func checkWhole() throws(MediaError) {
        let file = try SourceFile(path: path)
        var place = 0
        while place < file.byteCount {
            let header = try file.bytes(place..<min(place + 16, file.byteCount))
            let size = MovieLength.size(header)
            guard size >= 8, size <= file.byteCount - place else { break }
            place += size
        }
        guard place == file.byteCount else {
            throw MediaError(
                .cannotWrite, subject: path, message: "could not be written whole; check the disk that it is on, and try again")
        }
    }

    private func writeHeader() throws(MediaError) {
        isHeaderWritten = true
        var flags: [String] = []
        if settings.optimizeForNetworkUse { flags.append("faststart") }
        if settings.hasUnusualTags || (settings.fileType == .mov && !settings.metadata.isEmpty) {
            flags.append("use_metadata_tags")
        }
        // libavformat would move all tracks by the silence that Opus begins with, and the pictures with them.
        if settings.fileType.isMatroska { context.pointee.avoid_negative_ts = 0 }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if settings.fileType.isISO {
            if !flags.isEmpty { av_dict_set(&options, "movflags", flags.joined(separator: "+"), 0) }
            av_dict_set(&options, "movie_timescale", "\(movieClock)", 0)
        }
        LibavLog.begin()
        try LibavResult.check(avformat_write_header(context, &options), path, "cannot be written")
    }

    /// The least common multiple of the tracks' clocks, or 1000 where it does not fit the format.
    private var movieClock: Int64 {
        var result: Int64 = 1
        for clock in clocks {
            var (large, small) = (result, clock)
            while small != 0 { (large, small) = (small, large % small) }
            result = result / large * clock
            if result > Int64(Int32.max) { return 1000 }
        }
        return max(result, 1000)
    }
}
