import ExportPlan
import Testing
import TestSupport
import FoundationEssentials

/// Archives of pictures: what is read is what was written, and anything else is refused. `SequenceTests` has GNU tar read
/// them.
@Suite struct PictureArchiveTests {
    private func archive(_ pictures: [[UInt8]]) -> [UInt8] {
        pictures.enumerated().flatMap { index, bytes in
            PictureArchive.header(PictureArchive.name(index + 1, "png"), byteCount: bytes.count) + bytes
                + PictureArchive.filling(bytes.count)
        } + PictureArchive.end
    }

    private func entries(_ bytes: [UInt8]) throws -> [PictureArchive.Entry] {
        try PictureArchive.entries(byteCount: bytes.count) { Array(bytes[$0]) }
    }

    @Test("Pictures of any size come back in order")
    func roundTrip() throws {
        let pictures = [0, 1, 511, 512, 513, 5000].map { [UInt8](repeating: UInt8($0 & 0xFF), count: $0) }
        let bytes = archive(pictures)
        let found = try entries(bytes)
        #expect(found.map(\.name) == (1...6).map { "0000\($0).png" })
        #expect(found.map { Array(bytes[$0.range]) } == pictures)
        #expect(try entries(PictureArchive.end).isEmpty)
        #expect(PictureArchive.name(123_456, "tif") == "123456.tif")
    }

    @Test("Archives that are cut off anywhere are refused")
    func cutOff() throws {
        let bytes = archive([[UInt8](repeating: 7, count: 700), [1]])
        for count in stride(from: 0, to: bytes.count - 2 * PictureArchive.block + 1, by: 64) {
            #expect(throws: PictureArchive.Fault.self, "\(count) bytes") { try entries(Array(bytes[..<count])) }
        }
    }

    @Test("Changed headers, and names that lead elsewhere, are refused")
    func hostile() throws {
        let bytes = archive([[1, 2, 3]])
        for place in 0..<160 where place < 9 || (100..<108).contains(place) || (124..<135).contains(place) {
            var changed = bytes
            changed[place] ^= 1
            #expect(throws: PictureArchive.Fault.self, "byte \(place)") { try entries(changed) }
        }
        for name in [
            "../00001.png", "/etc/passwd", "00001.png/x", ".png", "00001.", "a.png", "00001.PNG", "00001", "1.2.png", "",
        ] {
            let hostile = PictureArchive.header(name, byteCount: 0) + PictureArchive.end
            #expect(throws: PictureArchive.Fault.self, "\(name)") { try entries(hostile) }
        }
    }
}
