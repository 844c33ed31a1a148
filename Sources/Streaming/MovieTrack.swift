import Glibc

/// The only track of an MP4 file that a job of the farm has made, with the places of its samples in the file: a picture
/// segment or an encoded soundtrack.
///
/// The index of the file is read, and not the samples themselves. The file may have been made by anybody: sizes and
/// places are checked.
package struct MovieTrack: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Pictures with a size in pixels.
        case video(width: Int, height: Int)
        case audio
    }

    /// An encoded picture, or some hundreds of samples of sound.
    package struct Sample: Hashable, Sendable {
        /// The range of its bytes in the file.
        package var place: Range<Int>
        /// In ticks of the track.
        package var duration: Int
        /// The time at which it is shown less that at which it is decoded, in ticks.
        package var presentationOffset: Int
        /// Whether decoding can begin here.
        package var isSync: Bool
    }

    package var kind: Kind
    /// Ticks in a second.
    package var timescale: Int
    /// The box that describes the encoded samples, such as `avc1`, whole.
    package var sampleEntry: [UInt8]
    /// The samples in the order of decoding.
    package var samples: [Sample]
    /// The time of presentation, in ticks, with which playing begins: behind what an encoder of sound puts in front, and
    /// that of the first picture where pictures are not shown in the order of decoding.
    package var start: Int

    /// The number of channels of a sound; nil where it is not known, and for pictures.
    package var channels: Int? { kind == .audio ? SampleEntry.channels(sampleEntry) : nil }

    /// The start that all picture segments of a film get, so that one header is right for all of them. An encoder of H.264
    /// or HEVC that reorders pictures needs two in advance, but none in a segment of one or two pictures.
    var commonStart: Int {
        let reorders = kind != .audio && SampleEntry.isReordered(sampleEntry)
        return reorders ? max(start, 2 * (samples.first?.duration ?? 0)) : start
    }

    /// The duration of all samples in ticks.
    package var duration: Int { samples.reduce(0) { $0 + $1.duration } }

    /// The largest index that is read, in bytes. That of ten hours of sound has 6 MB.
    private static let largestIndex = 64 << 20

    /// Reads the index of a file.
    /// - Parameter rendition: the number of the track among those of the file, from 0; nil for the only one.
    /// - Throws: `StreamFault` where the file cannot be read or is no MP4 file with that track.
    package init(file: String, rendition: Int? = nil) throws(StreamFault) {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StreamFault("the file cannot be opened") }
        defer { close(descriptor) }
        try self.init(
            index: MovieTrack.index(of: descriptor), rendition: rendition, fileSize: MovieTrack.size(of: descriptor))
    }

    /// - Parameters:
    ///   - index: the content of the box `moov`.
    ///   - rendition: the number of the track among those of the file, from 0; nil for the only one.
    ///   - fileSize: the size of the file in bytes. No sample lies behind its end.
    /// - Throws: `StreamFault` where this is no index of a file with one track.
    package init(index: [UInt8], rendition: Int? = nil, fileSize: Int) throws(StreamFault) {
        let reader = BoxReader(bytes: index)
        let all = 0..<index.count
        let tracks = try reader.boxes(in: all).filter { $0.type == "trak" }
        guard rendition != nil || tracks.count == 1 else {
            throw StreamFault("the file has \(tracks.count) tracks instead of one")
        }
        guard tracks.indices.contains(rendition ?? 0) else {
            throw StreamFault("the file has \(tracks.count) tracks, and none for rendition \(rendition ?? 0)")
        }
        let track = tracks[rendition ?? 0].content
        let media = try reader.box("mdia", in: track).content
        timescale = try MovieTrack.timescale(reader, media)
        let handler = try reader.box("hdlr", in: media).content
        let tables = try reader.box("minf", "stbl", in: media).content
        let description = try reader.box("stsd", in: tables).content
        guard description.count >= 8, handler.count >= 12 else { throw StreamFault("the description of the track is cut short") }
        guard let entry = try reader.boxes(in: (description.lowerBound + 8)..<description.upperBound).first else {
            throw StreamFault("the file does not say how its samples are encoded")
        }
        sampleEntry = SampleEntry.ofFilm(Array(index[(entry.content.lowerBound - 8)..<entry.content.upperBound]))
        switch String(decoding: index[(handler.lowerBound + 8)..<(handler.lowerBound + 12)], as: UTF8.self) {
        case "vide":
            kind = .video(
                width: try reader.number(at: entry.content.lowerBound + 24, bytes: 2),
                height: try reader.number(at: entry.content.lowerBound + 26, bytes: 2))
        case "soun": kind = .audio
        default: throw StreamFault("the file's track is neither pictures nor sound")
        }
        start = try MovieTrack.mediaStart(reader, track)
        samples = try SampleTables(reader, tables, fileSize: fileSize).samples()
        guard !samples.isEmpty else { throw StreamFault("the file has no samples") }
    }

    private static func timescale(_ reader: BoxReader, _ media: Range<Int>) throws(StreamFault) -> Int {
        let header = try reader.box("mdhd", in: media).content
        let isLong = try reader.number(at: header.lowerBound, bytes: 1) == 1
        let timescale = try reader.number(at: header.lowerBound + (isLong ? 20 : 12), bytes: 4)
        guard timescale > 0 else { throw StreamFault("the track has no clock") }
        return timescale
    }

    /// The time of the media with which the edit list begins; 0 without one. Empty edits are left out.
    private static func mediaStart(_ reader: BoxReader, _ track: Range<Int>) throws(StreamFault) -> Int {
        guard let edits = try reader.boxes(in: track).first(where: { $0.type == "edts" }) else { return 0 }
        let list = try reader.box("elst", in: edits.content).content
        let isLong = try reader.number(at: list.lowerBound, bytes: 1) == 1
        let (step, place) = isLong ? (20, 8) : (12, 4)
        let count = try reader.number(at: list.lowerBound + 4, bytes: 4)
        for entry in 0..<min(count, 2) {
            let position = list.lowerBound + 8 + entry * step + place
            let time = isLong ? try reader.number(at: position, bytes: 8) : try reader.signedNumber(at: position)
            if time >= 0 { return time }
        }
        return 0
    }

    // MARK: Files

    private static func size(of descriptor: Int32) throws(StreamFault) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StreamFault("the file cannot be read") }
        return Int(status.st_size)
    }

    /// The content of the box `moov`, which may stand before or after the samples.
    private static func index(of descriptor: Int32) throws(StreamFault) -> [UInt8] {
        var position = 0
        let end = try size(of: descriptor)
        while position < end {
            let head = BoxReader(bytes: try read(descriptor, position..<min(position + 16, end)))
            var size = try head.number(at: 0, bytes: 4)
            var content = 8
            if size == 1 { (size, content) = (try head.number(at: 8, bytes: 8), 16) }
            guard size >= content, size <= end - position else { throw StreamFault("the file is cut short") }
            if Array(head.bytes[4..<8]) == Array("moov".utf8) {
                guard size <= largestIndex else { throw StreamFault("the index of the file is too large") }
                return try read(descriptor, (position + content)..<(position + size))
            }
            position += size
        }
        throw StreamFault("the file has no index")
    }

    /// The bytes of a range of a file.
    /// - Throws: `StreamFault` where the file ends before.
    static func read(_ descriptor: Int32, _ range: Range<Int>) throws(StreamFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var done = 0
        while done < range.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + done }, range.count - done, off_t(range.lowerBound + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StreamFault("the file is cut short") }
            done += count
        }
        return bytes
    }
}
