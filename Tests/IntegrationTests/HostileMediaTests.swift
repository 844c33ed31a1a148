import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Files that were made to do harm: each is refused, or read and drawn, in little time and little memory, and a rendering
/// process dies of none.
@Suite struct HostileMediaTests {
    @Test("A hostile file is refused or drawn", .timeLimit(.minutes(3)), arguments: HostileMedia.allCases)
    func hostile(_ media: HostileMedia) async throws {
        let directory = try TemporaryDirectory()
        let whole = try await HostileMedia.wholeFile(in: directory)
        let path = directory.file(media.name)
        try Data(media.bytes(whole, in: directory)).write(to: URL(fileURLWithPath: path))
        let outcome = try await HostileMediaTests.drawn(path, in: directory)
        let status = try #require(outcome.status)
        #expect(media.statuses.contains(status), "\(status): \(outcome.errors)")
        #expect(!outcome.errors.contains("died"), "\(outcome.errors)")
        // Whatever was read, it was not the file beside it.
        #expect(!outcome.errors.contains("secret of this machine"))
    }

    @Test("An MP4 that ends within any of its boxes is refused or drawn", .timeLimit(.minutes(5)))
    func cut() async throws {
        let directory = try TemporaryDirectory()
        let whole = try await HostileMedia.wholeFile(in: directory)
        let boxes = MP4Boxes.all(in: whole)
        #expect(boxes.count > 30 && boxes.contains { $0.type == "stsz" }, "\(boxes)")
        // In the middle of each box, within its head, and at its end.
        let places = Set(boxes.flatMap { [$0.start + 6, ($0.start + $0.end) / 2, $0.end] }).filter { $0 < whole.count }.sorted()
        for (number, place) in places.enumerated() where !TestForm.isShort || number % 4 == 0 {
            let path = directory.file("cut.mp4")
            try Data(whole[..<place]).write(to: URL(fileURLWithPath: path))
            let outcome = try await HostileMediaTests.drawn(path, in: directory)
            #expect([0, 65].contains(outcome.status) && !outcome.errors.contains("died"), "cut at \(place): \(outcome.errors)")
        }
        print("cut at \(places.count) places of \(boxes.count) boxes")
    }

    /// Draws a frame of a file, with the time and the memory that a hostile file may take.
    private static func drawn(_ path: String, in directory: TemporaryDirectory) async throws -> SpoolTool.Outcome {
        try await ShellTool.run(
            """
            ulimit -d 2000000
            timeout 60 '\(SpoolTool.executable)' frame '\(path)' --time 0.2 -o '\(directory.file("frame.png"))' --no-cache \\
                --max-size 320x320
            """)
    }
}

/// The harm that a file is to do.
enum HostileMedia: String, CaseIterable, CustomTestStringConvertible {
    case concatScript, playlistOfItself, dashManifest, sessionDescription, externalReference
    case hugePicture, hugeFrames, noTimeScale, noTimeScaleOfTrack, endlessDuration, endlessEditList
    case manyStreams, deepBoxes, hugeBox, hugeTable, endlessWave, deepMatroska, endlessMatroska, hugeMatroskaFrames

    var testDescription: String { rawValue }

    /// The file's name says nothing true about its format.
    var name: String {
        switch self {
        case .hugePicture: "hostile.png"
        case .endlessWave: "hostile.wav"
        case .deepMatroska, .endlessMatroska, .hugeMatroskaFrames: "hostile.mkv"
        default: "hostile.mp4"
        }
    }

    /// The exit codes with which it may end: drawn, or refused.
    var statuses: [Int32] {
        switch self {
        case .concatScript, .playlistOfItself, .dashManifest, .sessionDescription, .hugePicture, .deepBoxes, .endlessWave: [65]
        // FFmpeg says of more than a thousand streams that there is no memory for them.
        case .manyStreams: [65, 75]
        default: [0, 65]
        }
    }

    /// A good MP4 with one picture stream and one sound stream.
    static func wholeFile(in directory: TemporaryDirectory) async throws -> [UInt8] {
        let path = directory.file("whole.mp4")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=160x96:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1", "-c:v", "libx264", "-c:a", "aac",
            "-movflags", "faststart", path,
        ])
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    func bytes(_ whole: [UInt8], in directory: TemporaryDirectory) throws -> [UInt8] {
        let other = directory.file("other.ts")
        try Data("secret of this machine".utf8).write(to: URL(fileURLWithPath: other))
        let own = directory.file(name)
        switch self {
        case .concatScript: return Array("ffconcat version 1.0\nfile '\(other)'\nfile '\(own)'\n".utf8)
        case .playlistOfItself:
            return Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(own)\n#EXTINF:1,\nfile://\(other)\n".utf8)
        case .dashManifest:
            return Array("<?xml version=\"1.0\"?><MPD><Period><BaseURL>file://\(other)</BaseURL></Period></MPD>".utf8)
        case .sessionDescription:
            return Array("v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n".utf8)
        case .externalReference:
            // The data of the tracks are said to lie in another file.
            return MP4Boxes.changed(whole, "url ") { box in
                box.replaceSubrange(8..<12, with: [0, 0, 0, 0])
                box += Array("file://\(other)\0".utf8)
            }
        case .hugePicture:
            // A chunk IHDR with 2^31 - 1 pixels in both directions.
            return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
                + [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 8, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Array("IDAT".utf8)
        case .hugeFrames: return MP4Boxes.changed(whole, "avc1") { $0.replaceSubrange(32..<36, with: [0xFF, 0xFF, 0xFF, 0xFF]) }
        case .noTimeScale: return MP4Boxes.changed(whole, "mvhd") { $0.replaceSubrange(20..<24, with: [0, 0, 0, 0]) }
        case .noTimeScaleOfTrack: return MP4Boxes.changed(whole, "mdhd") { $0.replaceSubrange(20..<24, with: [0, 0, 0, 0]) }
        case .endlessDuration:
            return MP4Boxes.changed(whole, "stts") { $0.replaceSubrange(16..<24, with: Array(repeating: 0x7F, count: 8)) }
        case .endlessEditList:
            return MP4Boxes.changed(whole, "elst") { $0.replaceSubrange(16..<24, with: Array(repeating: 0x7F, count: 8)) }
        case .manyStreams:
            // The same track two thousand times.
            guard let track = MP4Boxes.all(in: whole).first(where: { $0.type == "trak" }) else { return whole }
            let copies = Array(repeating: Array(whole[track.start..<track.end]), count: 2000).joined()
            return MP4Boxes.changed(whole, "moov") { $0 += copies }
        case .deepBoxes:
            var inner: [UInt8] = []
            for _ in 0..<5000 { inner = MP4Boxes.box("moov", inner) }
            return MP4Boxes.box("ftyp", Array("isom\0\0\0\0isom".utf8)) + inner
        case .hugeBox: return MP4Boxes.changed(whole, "stsd") { $0.replaceSubrange(0..<4, with: [0x7F, 0xFF, 0xFF, 0xFF]) }
        case .hugeTable:
            // Counts of entries of a table that the file does not have.
            return MP4Boxes.changed(whole, "stsz") { $0.replaceSubrange(16..<20, with: [0x0F, 0xFF, 0xFF, 0xFF]) }
        case .endlessWave:
            return Array("RIFF".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + Array("WAVEfmt ".utf8)
                + [16, 0, 0, 0, 1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 32, 0]
                + Array("data".utf8) + [0xFF, 0xFF, 0xFF, 0xFF]
        case .deepMatroska:
            // Tags within tags, each of unknown size.
            let tags = Array(repeating: [0x67, 0xC8, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] as [UInt8], count: 20_000)
            return HostileMedia.matroskaHead + [0x12, 0x54, 0xC3, 0x67, 0xFF] + tags.joined()
        case .endlessMatroska: return HostileMedia.matroskaHead + [0x1F, 0x43, 0xB6, 0x75, 0xFF]
        case .hugeMatroskaFrames:
            // Tracks, a video track whose picture is 2^40 pixels wide and high.
            let size: [UInt8] = [0xB0, 0x86, 1, 0, 0, 0, 0, 0, 0xBA, 0x86, 1, 0, 0, 0, 0, 0]
            let video: [UInt8] = [0xE0, 0x80 + UInt8(size.count)] + size
            let codec: [UInt8] = [0x86, 0x85] + Array("V_VP8".utf8)
            let entry: [UInt8] = [0xD7, 0x81, 1, 0x73, 0xC5, 0x81, 1, 0x83, 0x81, 1] + codec + video
            let track: [UInt8] = [0xAE, 0x80 + UInt8(entry.count)] + entry
            return HostileMedia.matroskaHead + [0x16, 0x54, 0xAE, 0x6B, 0x80 + UInt8(track.count)] + track
        }
    }

    /// An EBML head, and the beginning of a segment of unknown size.
    private static let matroskaHead: [UInt8] =
        [0x1A, 0x45, 0xDF, 0xA3, 0x8B, 0x42, 0x82, 0x88] + Array("matroska".utf8)
        + [0x18, 0x53, 0x80, 0x67, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
}

/// The boxes of an MP4 file (ISO/IEC 14496-12, 4.2).
enum MP4Boxes {
    struct Box: CustomStringConvertible {
        var type: String
        var start: Int
        var end: Int
        /// The boxes that it lies in, from the outside, by where they start.
        var parents: [Int]

        var description: String { "\(type) \(start)..<\(end)" }
    }

    private static let containers: Set<String> = ["moov", "trak", "edts", "mdia", "minf", "dinf", "stbl", "udta", "stsd", "dref"]

    static func all(in bytes: [UInt8]) -> [Box] { boxes(bytes, 0, bytes.count, []) }

    private static func boxes(_ bytes: [UInt8], _ start: Int, _ end: Int, _ parents: [Int]) -> [Box] {
        var found: [Box] = []
        var place = start
        while place + 8 <= end {
            let size = bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
            guard size >= 8, place + size <= end else { break }
            let type = String(decoding: bytes[(place + 4)..<(place + 8)], as: UTF8.self)
            found.append(Box(type: type, start: place, end: place + size, parents: parents))
            // These two have a version and a count before their boxes.
            let head = type == "stsd" || type == "dref" ? 16 : 8
            if containers.contains(type) { found += boxes(bytes, place + head, place + size, parents + [place]) }
            place += size
        }
        return found
    }

    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] { size(content.count + 8) + Array(type.utf8) + content }

    /// The file with its first box of a type changed. Sizes follow the change, unless the change sets the box's own size.
    static func changed(_ whole: [UInt8], _ type: String, _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        guard let box = all(in: whole).first(where: { $0.type == type }) else { return whole }
        var content = Array(whole[box.start..<box.end])
        change(&content)
        let growth = content.count - (box.end - box.start)
        if growth != 0 { content.replaceSubrange(0..<4, with: size(content.count)) }
        var bytes = whole
        bytes.replaceSubrange(box.start..<box.end, with: content)
        for parent in box.parents {
            let old = whole[parent..<(parent + 4)].reduce(0) { $0 << 8 | Int($1) }
            bytes.replaceSubrange(parent..<(parent + 4), with: size(old + growth))
        }
        return bytes
    }

    private static func size(_ count: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } }
}
