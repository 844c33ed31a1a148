import TextRendering
import ContentHashing
import Compositor
import ExactTime
import ExportPlan
import Media
import Operations
import TestSupport
import Testing
import FoundationEssentials

/// Auxiliary sources, recognised by their contents.
@Suite struct DocumentTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func file(_ bytes: some Sequence<UInt8>, _ name: String = "x") throws -> String {
        let path = directory.file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static let cube = "TITLE \"x\"\n# comment\nLUT_1D_SIZE 2\n0 0 0\n1 1 1\n"
    private static let subRip = "1\n00:00:01,000 --> 00:00:02,000\nwörds\n"
    private static let script = "[Script Info]\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,x\n"

    @Test(
        "A file's kind follows from its first bytes, whatever its name says",
        arguments: [
            (cube, "cube", AuxiliarySourceKind.lookupTable), (subRip, "srt", .captions),
            ("WEBVTT\n\n00:01.000 --> 00:02.000\nx\n", "webvtt", .captions), (script, "ass", .captions),
        ])
    func kinds(text: String, container: String, kind: AuxiliarySourceKind) throws {
        let path = try file(text.utf8, "film.mp4")
        let facts = try SourceProbe.facts(ofFile: path)
        #expect(facts.container == container && facts.auxiliaryKind == kind)
        #expect(facts.video == nil && facts.audio == nil && facts.byteCount == text.utf8.count)
        #expect(facts.contentHash == ContentHash.of(text.utf8))
        let decoded = try JSONDecoder().decode(SourceFacts.self, from: JSONEncoder().encode(facts))
        #expect(decoded == facts)
    }

    @Test("A file that is neither media nor an auxiliary source has no facts")
    func unknown() throws {
        let error = #expect(throws: MediaError.self) { try SourceProbe.facts(ofFile: try file("just text\n".utf8)) }
        #expect(error?.code == .unknownFormat)
    }

    @Test("The same text in every encoding and with every line ending gives the same captions")
    func encodings() throws {
        let utf16 = Array(DocumentTests.subRip.utf16)
        let texts: [[UInt8]] = [
            Array(DocumentTests.subRip.utf8), [0xEF, 0xBB, 0xBF] + DocumentTests.subRip.utf8,
            [0xFF, 0xFE] + utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] },
            [0xFE, 0xFF] + utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] },
            DocumentTests.subRip.unicodeScalars.map { UInt8($0.value) },
            Array(DocumentTests.subRip.replacing("\n", with: "\r\n").utf8),
            Array(DocumentTests.subRip.replacing("\n", with: "\r").utf8),
        ]
        let read = try texts.map { bytes -> String in
            guard case .captions(let captions)? = try Document(ofFile: try file(bytes)) else { return "no captions" }
            return "\(captions)"
        }
        #expect(read[0].contains("wörds") && Set(read) == [read[0]])
    }

    @Test("Windows-1252 characters are read where Latin-1 has none")
    func windows() throws {
        let bytes = "1\n00:00:01,000 --> 00:00:02,000\n".utf8 + [0x93, 0x80, 0xE9, 0x94]
        guard case .captions(let captions)? = try Document(ofFile: try file(bytes)) else {
            throw MediaError(.damaged, subject: "", message: "")
        }
        #expect("\(captions)".contains("“€é”"))
    }

    @Test(
        "A damaged file is refused with its line number",
        arguments: [
            (
                "LUT_3D_SIZE 2\n0 0 0\n1 x 1\n",
                "is not a valid lookup table: line 3: 3 numbers belong here, not '1 x 1'; export it again from the program that "
                    + "made it"
            ), ("LUT_3D_SIZE 2\n0 0 0\n", "after 1 of 8"),
            ("LUT_3D_SIZE 4000\n", "line 1"), ("1\n00:00:03,000 --> 00:00:02,000\nx\n", "line 2"),
            ("[Script Info]\n[Fonts]\nfontname: a\n", "line 3"),
        ])
    func damaged(text: String, message: String) throws {
        let path = try file(text.utf8)
        let error = #expect(throws: MediaError.self) { try SourceProbe.facts(ofFile: path) }
        #expect(error?.code == .damaged && error?.subject == path && error?.message.contains(message) == true)
        #expect(error?.failureClass == .input)
    }

    @Test("Half a character, zero bytes and files above the size limit are refused")
    func hostile() throws {
        for bytes in [[0xFF, 0xFE] + [UInt8](DocumentTests.subRip.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }) + [0x41]] {
            let error = #expect(throws: MediaError.self) { try SourceProbe.facts(ofFile: try file(bytes)) }
            #expect(error?.message == "is damaged: it begins like UTF-16, but is not UTF-16; save it as UTF-8")
        }
        let late = Array(DocumentTests.subRip.utf8) + [UInt8](repeating: 10, count: 10_000) + [0]
        let zero = #expect(throws: MediaError.self) { try SourceProbe.facts(ofFile: try file(late)) }
        #expect(zero?.message == "is damaged: it is a text with zero bytes in it; save it as UTF-8")
        let long = Array(DocumentTests.subRip.utf8) + [UInt8](repeating: 10, count: 9 << 20)
        let error = #expect(throws: MediaError.self) { try SourceProbe.facts(ofFile: try file(long)) }
        #expect(error?.code == .overLimit)
    }

    @Test("Captions in the place of a table, and a table in the place of captions, are refused with what belongs there")
    func otherKind() throws {
        let size = FrameSize(width: 64, height: 36)
        func error(_ text: String, _ layer: (String) -> Layer) throws -> MediaError {
            let path = try file(text.utf8, "other")
            let source = SourceReference(facts: try SourceProbe.facts(ofFile: path), path: path)
            let hash = source.facts.contentHash
            return try #require(throws: MediaError.self) {
                try composed([.solid(.black), layer(hash)], canvas: size, [hash: source])
            }
        }
        let captions = try error(DocumentTests.cube) { hash in
            Layer(
                content: .captions(CaptionContent(source: hash, start: .zero, size: size, layoutSize: size, look: nil)))
        }
        #expect(captions.message == "is not a captions file; name an SRT, WebVTT or ASS file")
        let table = try error(DocumentTests.subRip) { hash in
            Layer(content: .adjustment, operations: [Operation(name: "lut", source: hash)])
        }
        #expect(table.message == "is not a lookup table; name a .cube file, or a HaldCLUT or 512x512 lookup picture")
    }

    @Test("A file that is cut off or has a changed byte is either read or refused", arguments: [0, 1, 2])
    func mutations(_ which: Int) throws {
        let text = [DocumentTests.cube, DocumentTests.subRip, DocumentTests.script][which]
        var random = RandomNumbers(seed: UInt64(which))
        var refused = 0
        for _ in 0..<150 {
            var bytes = Array(text.utf8.prefix(Int.random(in: 1...text.utf8.count, using: &random)))
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            do throws(MediaError) {
                _ = try Document(ofFile: directory.file("y"), writing: bytes)
            } catch {
                refused += 1
                #expect(error.failureClass == .input)
            }
        }
        #expect(refused > 0)
    }
}

extension Document {
    /// Writes the bytes to the file and reads it back.
    fileprivate init?(ofFile path: String, writing bytes: [UInt8]) throws(MediaError) {
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        } catch {
            throw MediaError(.cannotWrite, subject: path, message: "\(error)")
        }
        try self.init(ofFile: path)
    }
}
