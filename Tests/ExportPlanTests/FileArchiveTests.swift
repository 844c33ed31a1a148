import ExportPlan
import Testing
import TestSupport
import FoundationEssentials

/// Archives of pictures: what is read is what was written, and anything else is refused. `SequenceTests` has GNU tar read
/// them.
@Suite struct FileArchiveTests {
    private func archive(_ pictures: [[UInt8]]) -> [UInt8] {
        pictures.enumerated().flatMap { index, bytes in
            FileArchive.header(FileArchive.name(index + 1, "png"), byteCount: bytes.count) + bytes
                + FileArchive.filling(bytes.count)
        } + FileArchive.end
    }

    private func entries(_ bytes: [UInt8]) throws -> [FileArchive.Entry] {
        try FileArchive.entries(byteCount: bytes.count) { Array(bytes[$0]) }
    }

    @Test("A file that becomes shorter while it is read is refused")
    func shorter() throws {
        let bytes = archive([[1, 2, 3]])
        let error = #expect(throws: FileArchive.Fault.self) {
            try FileArchive.entries(byteCount: bytes.count) { Array(bytes[$0].prefix(100)) }
        }
        #expect(error?.message == "ends inside a header")
    }

    @Test("Pictures of any size come back in order")
    func roundTrip() throws {
        let pictures = [0, 1, 511, 512, 513, 5000].map { [UInt8](repeating: UInt8($0 & 0xFF), count: $0) }
        let bytes = archive(pictures)
        let found = try entries(bytes)
        #expect(found.map(\.name) == (1...6).map { "0000\($0).png" })
        #expect(found.map { Array(bytes[$0.range]) } == pictures)
        #expect(try entries(FileArchive.end).isEmpty)
        #expect(FileArchive.name(123_456, "tif") == "123456.tif")
    }

    @Test("Archives that are cut off anywhere are refused")
    func cutOff() throws {
        let bytes = archive([[UInt8](repeating: 7, count: 700), [1]])
        for count in stride(from: 0, to: bytes.count - 2 * FileArchive.block + 1, by: 64) {
            #expect(throws: FileArchive.Fault.self, "\(count) bytes") { try entries(Array(bytes[..<count])) }
        }
        let cut = #expect(throws: FileArchive.Fault.self) { try entries(Array(bytes[..<(FileArchive.block + 10)])) }
        #expect(cut?.message == "ends inside a file")
    }

    @Test("Changed headers, and names that lead elsewhere, are refused")
    func hostile() throws {
        let bytes = archive([[1, 2, 3]])
        for place in 0..<160 where place < 9 || (100..<108).contains(place) || (124..<135).contains(place) {
            var changed = bytes
            changed[place] ^= 1
            #expect(throws: FileArchive.Fault.self, "byte \(place)") { try entries(changed) }
        }
        var changed = bytes
        changed[100] ^= 1
        let damaged = #expect(throws: FileArchive.Fault.self) { try entries(changed) }
        #expect(damaged?.message == "has a damaged header at byte 0")
        for name in [
            "../00001.png", "/etc/passwd", "00001.png/x", ".png", "00001.", "a.png", "00001.PNG", "00001", "1.2.png", "",
        ] {
            let hostile = FileArchive.header(name, byteCount: 0) + FileArchive.end
            let fault = #expect(throws: FileArchive.Fault.self, "\(name)") { try entries(hostile) }
            #expect(fault?.message == "has a file of another kind at byte 0", "\(name)")
        }
    }

    @Test("The files of a stream have the names that streams have, each once")
    func stream() throws {
        func names(_ name: String) throws -> [String] {
            let bytes = FileArchive.header(name, byteCount: 0) + FileArchive.end
            return try FileArchive.entries(.stream, byteCount: bytes.count) { Array(bytes[$0]) }.map(\.name)
        }
        for name in ["main.m3u8", "pictures-1080-keyframes.m3u8", "sound-0.mp4"] { #expect(try names(name) == [name]) }
        for name in [
            "../main.m3u8", "a/b.mp4", "-a.mp4", ".mp4", "a.b.mp4", "main", "main.mp4", "Main.m3u8", "draft.json", "index.html",
            "pictures-x.mp4", "pictures-.mp4", "pictures-1-2.mp4", "pictures-1-keyframes.mp4", "sound-0-keyframes.m3u8",
            "sound-0.vtt", "subtitles-0.mp4", "",
        ] {
            #expect(throws: FileArchive.Fault.self, "\(name)") { try names(name) }
        }
        let twice =
            FileArchive.header("main.m3u8", byteCount: 0) + FileArchive.header("main.m3u8", byteCount: 0) + FileArchive.end
        #expect(throws: FileArchive.Fault.self) {
            try FileArchive.entries(.stream, byteCount: twice.count) { Array(twice[$0]) }
        }
    }
}
