import CFFmpeg

/// The end that a container declares for a stream, if the file ends earlier, as an interrupted copy does. MPEG-TS, AAC
/// and Ogg declare no end. For other containers the declared end counts only if the file itself is shorter than
/// declared, or its index lists packets that are missing.
enum DeclaredEnd {
    /// - Parameters:
    ///   - demuxer: a demuxer that has been read to its end.
    ///   - count: the number of packets that were read of the stream.
    ///   - end: the end of the last of them, in ticks.
    /// - Returns: the declared end in ticks; nil if nothing is missing or no end is declared.
    static func ticks(_ demuxer: Demuxer, stream index: Int, count: Int, end: Int64) throws(MediaError) -> Int64? {
        guard count > 0, let stream = demuxer.streamPointer(index) else { return nil }
        let timeBase = stream.pointee.time_base
        guard timeBase.num > 0, timeBase.den > 0 else { return nil }
        func ticks(_ seconds: Double) -> Int64 { Int64((seconds * Double(timeBase.den) / Double(timeBase.num)).rounded()) }
        let promised: Int64?
        switch demuxer.containerName.split(separator: ",").first ?? "" {
        case "mov": promised = ofIndex(stream, count).map { end + $0 }
        case "matroska": promised = try isCutMatroska(demuxer.file) ? ofMatroska(demuxer, stream).map(ticks) : nil
        case "avi":
            let missing = stream.pointee.nb_frames - Int64(count)
            let isPicture = stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
            promised = isPicture && missing > 0 ? try isCutRIFF(demuxer.file) ? end + missing : nil : nil
        case "wav":
            let rate = Double(stream.pointee.codecpar.pointee.bit_rate)
            promised = try missingWaveBytes(demuxer.file).flatMap { rate > 0 ? end + ticks(Double($0) * 8 / rate) : nil }
        case "mp3", "flac":
            let start = stream.pointee.start_time == spool_no_timestamp ? 0 : stream.pointee.start_time
            promised = stream.pointee.duration > 0 ? start + stream.pointee.duration : nil
        default: promised = nil
        }
        // Some containers count the encoder's delay and others do not, so a small difference is tolerated.
        guard let promised, promised - end > ticks(tolerance) else { return nil }
        return promised
    }

    /// The tolerance, in seconds.
    private static let tolerance = 0.1

    /// How much longer the index of an MP4 or MOV file is than the packets that were read, in ticks.
    private static func ofIndex(_ stream: UnsafeMutablePointer<AVStream>, _ count: Int) -> Int64? {
        let known = avformat_index_get_entries_count(stream)
        guard Int(known) > count, let last = avformat_index_get_entry(stream, known - 1),
            let read = avformat_index_get_entry(stream, Int32(count - 1))
        else { return nil }
        return last.pointee.timestamp - read.pointee.timestamp
    }

    /// The declared duration in seconds: of the track if it has such a tag, otherwise of the file.
    private static func ofMatroska(_ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>) -> Double? {
        if let tag = av_dict_get(stream.pointee.metadata, "DURATION", nil, 0), let value = tag.pointee.value {
            let parts = String(cString: value).split(separator: ":").map { Double($0) }
            if parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2] {
                return hours * 3600 + minutes * 60 + seconds
            }
        }
        let duration = demuxer.context.pointee.duration
        return duration > 0 ? Double(duration) / Double(AV_TIME_BASE) : nil
    }

    /// Whether the file ends inside its Segment element (RFC 9559, section 5.1). An element of unknown size may end
    /// anywhere.
    private static func isCutMatroska(_ file: SourceFile) throws(MediaError) -> Bool {
        var place = 0
        // The header comes first, perhaps followed by Void elements.
        for _ in 0..<8 {
            guard let id = try number(file, at: place, keepsMarker: true),
                let size = try number(file, at: place + id.length, keepsMarker: false)
            else { return false }
            let start = place + id.length + size.length
            if id.value == 0x1853_8067 {
                return size.value != (1 << (7 * size.length)) - 1 && start + size.value > file.byteCount
            }
            place = start + size.value
        }
        return false
    }

    /// A variable-length number (RFC 8794, section 4): the number of leading zero bits is the number of bytes that
    /// follow the first.
    private static func number(
        _ file: SourceFile, at place: Int, keepsMarker: Bool
    ) throws(MediaError) -> (value: Int, length: Int)? {
        guard place >= 0, place < file.byteCount, let first = try file.bytes(place..<place + 1).first, first != 0 else {
            return nil
        }
        let length = first.leadingZeroBitCount + 1
        guard place + length <= file.byteCount else { return nil }
        let value = try file.bytes(place..<place + length).reduce(0) { $0 << 8 | Int($1) }
        return (keepsMarker ? value : value & ((1 << (7 * length)) - 1), length)
    }

    /// Whether an AVI file ends inside one of its RIFF chunks.
    private static func isCutRIFF(_ file: SourceFile) throws(MediaError) -> Bool {
        var place = 0
        while place + 8 <= file.byteCount {
            let header = try file.bytes(place..<place + 8)
            guard header[..<4].elementsEqual("RIFF".utf8) else { return false }
            place += 8 + size(header)
        }
        return place > file.byteCount
    }

    /// The number of declared bytes of sound that are missing at the end of a WAV file; nil if none is missing or the
    /// size is unknown.
    private static func missingWaveBytes(_ file: SourceFile) throws(MediaError) -> Int? {
        var place = 12
        while place + 8 <= file.byteCount {
            let header = try file.bytes(place..<place + 8)
            let size = size(header)
            if header[..<4].elementsEqual("data".utf8) {
                // A file that was recorded into a pipe has no final size.
                let missing = place + 8 + size - file.byteCount
                return size >= 0xFFFF_FF00 || missing <= 0 ? nil : missing
            }
            place += 8 + size + size % 2
        }
        return nil
    }

    private static func size(_ header: [UInt8]) -> Int { header[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } }
}
