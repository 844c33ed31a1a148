import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// Picture files that are cut, have flipped bytes or declare a false size are refused with a reason, or shown as far as
/// they are good.
@Suite struct HostilePictureTests {
    enum Kind: String, CaseIterable, Sendable {
        case heic, avif, webp, gif, apng

        func write(in directory: TemporaryDirectory) async throws -> [UInt8] {
            let path = directory.file("whole.\(rawValue)")
            switch self {
            case .heic, .avif:
                try await HeifMaker.encode(try await HeifMaker.png("p.png", alpha: 90, in: directory), to: path)
            case .webp, .gif, .apng:
                let options = self == .apng ? "format='PNG'" : "loop=0"
                _ = try await PillowFrames.made(path, delays: [40, 40, 40, 40], options: options, in: directory)
            }
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }

    @Test("A picture with flipped bytes is refused, or read and can be shown", arguments: Kind.allCases)
    func flipped(_ kind: Kind) async throws {
        let directory = try TemporaryDirectory()
        let whole = try await kind.write(in: directory)
        var random = RandomNumbers(seed: 7)
        for round in 0..<150 {
            var bytes = whole
            for _ in 0..<(1 + round % 8) {
                bytes[Int.random(in: 12..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try readOrRefuse(bytes, "flipped.\(kind.rawValue)", in: directory)
        }
    }

    @Test("A picture file that is cut anywhere is read or refused", arguments: Kind.allCases)
    func cut(_ kind: Kind) async throws {
        let directory = try TemporaryDirectory()
        let whole = try await kind.write(in: directory)
        for length in stride(from: 1, to: whole.count, by: max(1, whole.count / 60)) {
            try readOrRefuse(Array(whole.prefix(length)), "cut.\(kind.rawValue)", in: directory)
        }
    }

    @Test("A cut still or WebP is reported as damaged", arguments: [Kind.heic, .avif, .webp])
    func damaged(_ kind: Kind) async throws {
        let directory = try TemporaryDirectory()
        let whole = try await kind.write(in: directory)
        let path = try write(Array(whole.dropLast(whole.count / 4)), "cut.\(kind.rawValue)", in: directory)
        let error = try #require(throws: MediaError.self) { try Probe.facts(ofFile: path) }
        #expect(error.code == .damaged && error.subject == path)
        if kind == .webp {
            #expect(
                error.message == "is damaged or cut short: its WebP structure cannot be read; copy or export the file again")
        }
    }

    @Test(
        "A HEIC or AVIF of an unknown brand, or in an unknown codec, is refused with what to do", arguments: [Kind.heic, .avif])
    func unknownKind(_ kind: Kind) async throws {
        let directory = try TemporaryDirectory()
        let whole = try await kind.write(in: directory)
        let brands = whole.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        var otherBrand = whole
        for place in stride(from: 16, to: brands, by: 4) { otherBrand.replaceSubrange(place..<place + 4, with: "isom".utf8) }
        var otherCodec = whole
        let codec = Array((kind == .heic ? "hvc1" : "av01").utf8)
        for place in whole.indices where whole[place...].starts(with: codec) {
            otherCodec.replaceSubrange(place..<place + 4, with: "vvc1".utf8)
        }
        for (bytes, detail) in [(otherBrand, "supported brands"), (otherCodec, "Unsupported image type")] {
            let error = try refusal(bytes, "unknown.\(kind.rawValue)", in: directory)
            let words = "is a HEIC or AVIF picture of a kind that cannot be read; convert it to JPEG, PNG or WebP ("
            #expect(error.code == .unknownFormat && error.message.hasPrefix(words), "\(error.message)")
            #expect(error.message.contains(detail), "\(error.message)")
        }
    }

    @Test("A WebP whose canvas is beyond the limits is refused before decoding")
    func largeCanvas() async throws {
        let directory = try TemporaryDirectory()
        var bytes = try await Kind.webp.write(in: directory)
        // VP8X stores the canvas's width and height minus one, 24 bits each, little endian.
        for (side, low) in [(24, 0x3F), (27, 0x3F)] { bytes.replaceSubrange(side..<side + 2, with: [0xFF, UInt8(low)]) }
        let error = try refusal(bytes, "large.webp", in: directory)
        #expect(error.code == .overLimit && error.message.contains("16384"))
        for side in [24, 27] { bytes.replaceSubrange(side..<side + 3, with: [0xFF, 0xFF, 0xFF]) }
        #expect([.damaged, .overLimit].contains(try refusal(bytes, "huge.webp", in: directory).code))
    }

    @Test("A HEIC or AVIF of a size beyond the limits is refused before decoding", arguments: [Kind.heic, .avif])
    func largeStill(_ kind: Kind) async throws {
        let directory = try TemporaryDirectory()
        var bytes = try await kind.write(in: directory)
        for place in bytes.indices.dropLast(16) where bytes[place..<place + 4].elementsEqual("ispe".utf8) {
            bytes.replaceSubrange(place + 8..<place + 16, with: [0, 0, 0x7F, 0xFF, 0, 0, 0x7F, 0xFF])
        }
        let error = try refusal(bytes, "large.\(kind.rawValue)", in: directory)
        #expect(error.code == .overLimit && error.message.hasPrefix("is larger than pictures may be ("), "\(error.message)")
        #expect(error.message.hasSuffix("); make it smaller"), "\(error.message)")
    }

    @Test("A GIF whose canvas is beyond the limits is refused", arguments: [0x7FFF, 0xFFFF])
    func largeGIF(_ side: Int) async throws {
        let directory = try TemporaryDirectory()
        var bytes = try await Kind.gif.write(in: directory)
        bytes.replaceSubrange(6..<10, with: [UInt8(side & 255), UInt8(side >> 8), UInt8(side & 255), UInt8(side >> 8)])
        #expect([.overLimit, .damaged].contains(try refusal(bytes, "large.gif", in: directory).code))
    }

    private func readOrRefuse(_ bytes: [UInt8], _ name: String, in directory: TemporaryDirectory) throws {
        let path = try write(bytes, name, in: directory)
        switch probed(path) {
        case .failure(let error):
            #expect(error.subject == path && !error.message.isEmpty && error.failureClass == .input, "\(error)")
        case .success(let facts):
            guard facts.video != nil else { return }
            let reader = try FrameReader(SourceReference(facts: facts, path: path))
            for time in [MediaTime.zero, facts.duration, .zero] { _ = try? reader.frame(at: time) }  // may end early
        }
    }

    private func refusal(_ bytes: [UInt8], _ name: String, in directory: TemporaryDirectory) throws -> MediaError {
        let path = try write(bytes, name, in: directory)
        return try #require(throws: MediaError.self) { try Probe.facts(ofFile: path) }
    }

    private func write(_ bytes: [UInt8], _ name: String, in directory: TemporaryDirectory) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: directory.file(name)))
        return directory.file(name)
    }
}
