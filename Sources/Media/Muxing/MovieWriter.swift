import CFFmpeg
package import ExactTime
package import ExportPlan
import Vocabulary

/// Writes packets into a film or a segment. The same packets give the same bytes: the file contains no date and no
/// library version.
///
/// The movie's own clock is a common multiple of frame rate and sample rate if one fits, so that edit lists are exact.
package final class MovieWriter {
    package enum Track: Hashable, Sendable {
        case video
        /// A track of pictures beside the first, numbered from 1.
        case furtherVideo(Int)
        case audio
        /// A sound track beside the first, numbered from 1.
        case furtherAudio(Int)
        /// A subtitle track, numbered from 0.
        case subtitles(Int)
        case cover
    }

    let path: String
    let context: UnsafeMutablePointer<AVFormatContext>
    private var streams: [Track: (index: Int32, timeBase: AVRational)] = [:]
    private var isHeaderWritten = false
    let settings: ContainerSettings
    /// What the file can hold, and how it is written.
    let format: ContainerFormat
    private var clocks: [Int64] = []
    /// The end of each stream so far, in ticks of its own clock.
    private var ends: [Int32: Int64] = [:]

    /// Opens `path` for writing; the file is complete only after `finish`.
    /// - Throws: `MediaError` `cannotWrite`.
    package init(path: String, _ settings: ContainerSettings) throws(MediaError) {
        self.path = path
        self.settings = settings
        format = settings.fileType.format
        var made: UnsafeMutablePointer<AVFormatContext>?
        LibavLog.begin()
        try LibavResult.check(
            avformat_alloc_output_context2(&made, nil, format.muxer, path), path, "cannot be written")
        let opened = try LibavResult.allocated(made, path)
        opened.pointee.flags |= AVFMT_FLAG_BITEXACT
        if format.muxerDelay > 0 { opened.pointee.max_delay = Int32(format.muxerDelay) }
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
    package func add(_ encoder: VideoEncoder) throws(MediaError) {
        let stream = try newStream(encoder.track, timeBase: encoder.context.pointer.pointee.time_base)
        avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context.pointer)
        stream.pointee.avg_frame_rate = encoder.context.pointer.pointee.framerate
        // The tag of uncompressed pictures is their pixel format.
        if encoder.codec != .rawvideo { stream.pointee.codecpar.pointee.codec_tag = 0 }
        if encoder.context.pointer.pointee.pix_fmt == AV_PIX_FMT_YUVA420P { stream.declareTransparency() }
        if let metadata = settings.hdrMetadata { try metadata.add(to: stream) }
        // libx264 gets the level as an option.
        if let level = encoder.level, encoder.codec == .hevc {
            try BitstreamFilter.setLevel(level, ofHEVC: stream.pointee.codecpar, path)
        }
    }

    /// Adds a track with an encoder's parameters.
    package func add(_ encoder: AudioEncoder) throws(MediaError) {
        let stream = try newStream(.audio, timeBase: encoder.context.pointer.pointee.time_base)
        avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context.pointer)
        if !encoder.keepsDelay { stream.pointee.codecpar.pointee.initial_padding = 0 }
    }

    /// Adds a track whose packets are copied.
    /// - Parameter timeBase: the time base of the packets that will be written.
    package func add(copying reader: PacketReader, _ track: Track, timeBase: Rational) throws(MediaError) {
        let base = AVRational(num: Int32(timeBase.numerator), den: Int32(timeBase.denominator))
        let stream = try newStream(track, timeBase: base)
        avcodec_parameters_copy(stream.pointee.codecpar, reader.parameters)
        if stream.pointee.codecpar.pointee.codec_id != AV_CODEC_ID_RAWVIDEO {
            stream.pointee.codecpar.pointee.codec_tag = format.tag(of: stream.pointee.codecpar.pointee.codec_id)
        }
        guard track == .video else { return }
        stream.pointee.avg_frame_rate = AVRational(num: base.den, den: base.num)
        if reader.hasTransparency { stream.declareTransparency() }
        if let metadata = settings.hdrMetadata { try metadata.add(to: stream) }
    }

    /// Gives a sound track its tags, and makes the first one that which players choose.
    package func setTags(_ tags: SoundTrackTags, of track: Track) {
        guard let index = streams[track]?.index, let stream = context.pointee.streams[Int(index)] else { return }
        av_dict_set(&stream.pointee.metadata, "language", format.languageName(tags.language ?? "und"), 0)
        if let title = tags.title {
            av_dict_set(&stream.pointee.metadata, "title", title, 0)
            // Most players of MP4 and MOV show the name of a track's handler.
            if format.isISO { av_dict_set(&stream.pointee.metadata, "handler_name", title, 0) }
        }
        stream.pointee.disposition = track == .audio ? AV_DISPOSITION_DEFAULT : 0
    }

    /// Adds a subtitle track, whose clock counts milliseconds: 3GPP TS 26.245 in MP4 and MOV, WebVTT in WebM, SubRip in
    /// Matroska.
    /// - Parameter language: an ISO 639-2 code.
    package func addSubtitles(_ number: Int, language: String) throws(MediaError) {
        let stream = try newStream(.subtitles(number), timeBase: AVRational(num: 1, den: 1000))
        av_dict_set(&stream.pointee.metadata, "language", format.languageName(language), 0)
        let parameters = stream.pointee.codecpar
        parameters?.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        guard format.subtitles == .timedText else {
            parameters?.pointee.codec_id = format.subtitles == .webVTT ? AV_CODEC_ID_WEBVTT : AV_CODEC_ID_SUBRIP
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

    /// Writes one subtitle. Subtitles come in order of time and do not overlap.
    /// - Parameters:
    ///   - start: in milliseconds of the film's time.
    ///   - duration: in milliseconds.
    package func writeSubtitle(_ text: String, number: Int, start: Int64, duration: Int64) throws(MediaError) {
        let packet = try Packet()
        let bytes = format.subtitles == .timedText ? TimedText.sample(text) : Array(text.utf8)
        try LibavResult.check(av_new_packet(packet.pointer, Int32(bytes.count)), path, "cannot be written", .outOfMemory)
        packet.pointer.pointee.data.update(from: bytes, count: bytes.count)
        packet.pointer.pointee.pts = start
        packet.pointer.pointee.dts = start
        packet.pointer.pointee.duration = duration
        packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
        try write(packet, track: .subtitles(number))
    }

    /// Adds a cover picture, which players show for the file.
    /// - Parameter picture: the facts of the picture file.
    package func addCover(_ picture: VideoFacts) throws(MediaError) {
        let stream = try newStream(.cover, timeBase: AVRational(num: 1, den: 90_000))
        let parameters = stream.pointee.codecpar
        parameters?.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        parameters?.pointee.codec_id = picture.codec == "png" ? AV_CODEC_ID_PNG : AV_CODEC_ID_MJPEG
        parameters?.pointee.width = Int32(picture.size.width)
        parameters?.pointee.height = Int32(picture.size.height)
        stream.pointee.disposition = AV_DISPOSITION_ATTACHED_PIC
    }

    /// - Parameter file: the bytes of the picture file.
    package func writeCover(_ file: [UInt8]) throws(MediaError) {
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
        // A cover has no times that the movie's clock would have to represent.
        if track != .cover { clocks.append(Int64(timeBase.den)) }
        return stream
    }

    /// Writes one packet, whose times are in its track's clock. libav interleaves the tracks.
    func write(_ packet: Packet, track: Track) throws(MediaError) {
        if !isHeaderWritten { try writeHeader() }
        guard let stream = streams[track] else { preconditionFailure("a packet for a track that was not added") }
        packet.pointer.pointee.stream_index = stream.index
        if track.isPictures, packet.duration == 0 { packet.pointer.pointee.duration = 1 }
        let actual = context.pointee.streams[Int(stream.index)]?.pointee.time_base ?? stream.timeBase
        if track != .cover { ends[stream.index] = max(ends[stream.index] ?? 0, packet.presentationTicks + packet.duration) }
        packet.delay(by: blockDelay(stream.index))
        av_packet_rescale_ts(packet.pointer, stream.timeBase, actual)
        LibavLog.begin()
        try LibavResult.check(av_interleaved_write_frame(context, packet.pointer), path, "cannot be written")
    }

    /// Completes the file and closes it.
    package consuming func finish() throws(MediaError) {
        if !isHeaderWritten { try writeHeader() }
        LibavLog.begin()
        try LibavResult.check(av_write_trailer(context), path, "cannot be completed")
        avio_flush(context.pointee.pb)
        try LibavResult.check(context.pointee.pb.pointee.error, path, "cannot be written", .cannotWrite)
        try LibavResult.check(avio_closep(&context.pointee.pb), path, "cannot be closed", .cannotWrite)
        if format.isISO { try checkWhole() }
        guard format.structure == .matroska else { return }
        let lengths = streams.values.sorted { $0.index < $1.index }.map { stream in
            Rational(ends[stream.index] ?? 0, 1) * stream.timeBase.exact
        }
        try MatroskaLength.declare(lengths, in: path)
    }

    /// The ticks by which Matroska stores the blocks of a stream later than their sound is heard. Opus begins with
    /// samples that are not heard (`CodecDelay`; RFC 9559, section 5.1.4.1.25), and the first block is at 0. In all
    /// other cases packets may have times before 0.
    private func blockDelay(_ index: Int32) -> Int64 {
        guard format.structure == .matroska, let parameters = context.pointee.streams[Int(index)]?.pointee.codecpar,
            parameters.pointee.codec_id == AV_CODEC_ID_OPUS
        else { return 0 }
        return Int64(parameters.pointee.initial_padding)
    }

    /// Checks that the finished file is complete. libavformat reads the file again to move its index to the front, and
    /// takes a read failure for the end of the file.
    /// - Throws: `MediaError` `cannotWrite` if the boxes do not fill the file.
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
                .cannotWrite, subject: path,
                message: "could not be written completely; check the disk that it is on, and try again")
        }
    }

    private func writeHeader() throws(MediaError) {
        isHeaderWritten = true
        var flags: [String] = []
        if settings.optimizeForNetworkUse { flags.append("faststart") }
        if settings.hasUnusualTags || (format.structure == .quickTime && !settings.metadata.isEmpty) {
            flags.append("use_metadata_tags")
        }
        // libavformat would shift all tracks, and so the pictures, by the silence that Opus begins with.
        if format.structure == .matroska { context.pointee.avoid_negative_ts = 0 }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if format.isISO {
            if !flags.isEmpty { av_dict_set(&options, "movflags", flags.joined(separator: "+"), 0) }
            av_dict_set(&options, "movie_timescale", "\(movieClock)", 0)
        }
        LibavLog.begin()
        try LibavResult.check(avformat_write_header(context, &options), path, "cannot be written")
    }

    /// The least common multiple of the tracks' clocks, times what makes it 1000 or more, so that every duration of a track is
    /// a whole number of ticks; 1000 where that does not fit into 32 bits.
    private var movieClock: Int64 {
        var result: Int64 = 1
        for clock in clocks {
            var (large, small) = (result, clock)
            while small != 0 { (large, small) = (small, large % small) }
            result = result / large * clock
            if result > Int64(Int32.max) { return 1000 }
        }
        return result * ((999 + result) / result)
    }
}

extension MovieWriter.Track {
    fileprivate var isPictures: Bool {
        switch self {
        case .video, .furtherVideo: true
        case .audio, .furtherAudio, .subtitles, .cover: false
        }
    }
}

extension UnsafeMutablePointer<AVStream> {
    /// Lets libavformat's Matroska muxer write `AlphaMode`, without which players ignore alpha (RFC 9559, 5.1.4.1.28.4).
    fileprivate func declareTransparency() { av_dict_set(&pointee.metadata, "alpha_mode", "1", 0) }
}
