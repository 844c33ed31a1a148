import Compositor
import ExportPlan
import Media
import TestSupport
import TextRendering
import Testing
import FoundationEssentials
import Glibc

/// Limits of auxiliary sources, each reached and passed by one.
@Suite("Limits of auxiliary sources")
struct DocumentLimitTests {
    private let directory: TemporaryDirectory
    private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func expectOverLimit(_ path: String, _ message: String) {
        let error = #expect(throws: MediaError.self) { try SourceProbe.facts(ofFile: path) }
        #expect(error?.code == .overLimit)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    private func write(_ bytes: some Sequence<UInt8>) throws -> String {
        let path = directory.file("x")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(
        "A text file of the largest size is read, and one of a byte more is refused",
        arguments: [
            ("1\n00:00:01,000 --> 00:00:02,000\nx\n\n", Document.captionBytes),
            ("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n", Document.tableBytes),
        ])
    func textBytes(_ text: String, _ limit: Int) throws {
        let path = try write(Array(text.utf8) + [UInt8](repeating: 10, count: limit - text.utf8.count))
        #expect(try SourceProbe.facts(ofFile: path).byteCount == limit)
        // The byte behind the limit is not looked at.
        try #require(truncate(path, limit + 1) == 0)
        expectOverLimit(path, "has \(limit + 1) bytes; files of this kind are read up to \(limit)")
    }

    @Test(
        "A font file of the largest size is read, and one of a byte more is refused",
        .enabled(if: FileManager.default.fileExists(atPath: font), "\(font) is not there"))
    func fontBytes() throws {
        let path = try write(try Data(contentsOf: URL(fileURLWithPath: DocumentLimitTests.font)))
        // The tables of a font file say where each of them ends.
        try #require(truncate(path, Document.fontBytes) == 0)
        #expect(try SourceProbe.facts(ofFile: path).auxiliaryKind == .font)
        try #require(truncate(path, Document.fontBytes + 1) == 0)
        expectOverLimit(
            path, "has \(Document.fontBytes + 1) bytes; files of this kind are read up to \(Document.fontBytes)")
    }

    @Test("A file of 100 000 captions is read, and one of a caption more is refused")
    func captions() throws {
        func file(_ count: Int) throws -> String {
            try write((1...count).map { "\($0)\n00:00:01,000 --> 00:00:02,000\nx\n\n" }.joined().utf8)
        }
        #expect(try SourceProbe.facts(ofFile: try file(CaptionFile.captionLimit)).auxiliaryKind == .captions)
        expectOverLimit(
            try file(CaptionFile.captionLimit + 1),
            "has more than \(CaptionFile.captionLimit) captions, which is the limit")
    }
}
