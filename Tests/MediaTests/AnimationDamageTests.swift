import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// Images of animations that cannot be decoded are skipped, as browsers do, and reported with their times.
@Suite("Damage in animations")
struct AnimationDamageTests {
    /// Eight images of 100 ms each.
    static let kinds = ["a.gif", "a.webp", "a.apng"]

    private func write(_ name: String, in directory: TemporaryDirectory) async throws -> String {
        let path = directory.file(name)
        if name.hasSuffix(".gif") {
            let frames = (0..<8).map { index in
                HandmadeGIF.Frame(
                    x: 0, y: 0, width: 16, height: 16, disposal: 1, transparent: nil,
                    pixels: (0..<256).map { UInt8(($0 + index) % 4) })
            }
            try Data(HandmadeGIF(width: 16, height: 16, background: 2, frames: frames).bytes).write(
                to: URL(fileURLWithPath: path))
        } else {
            let options =
                name.hasSuffix(".webp")
                ? ["-c:v", "libwebp_anim", "-lossless", "1"] : ["-c:v", "apng", "-f", "apng", "-plays", "0"]
            try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.8"] + options + [path])
        }
        return path
    }

    /// Damages an image, so that no decoder accepts it.
    /// - Parameter number: the image's number from 0; the first one only of a WebP.
    private func damage(_ path: String, image number: Int = 3) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        func places(_ mark: [UInt8]) -> [Int] {
            bytes.indices.filter { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
        }
        if path.hasSuffix(".gif") {
            // The byte after the image's position and size is the LZW code size, which is at most 11.
            let image = places([0x21, 0xF9, 4])[number]
            bytes[image + 8 + 10] = 200
        } else if path.hasSuffix(".webp") {
            let image = places(Array("ANMF".utf8))[number]
            // The damage begins after the headers of the frame chunk (24 bytes), of the picture chunk (8) and of VP8L
            // (5), which contains the size.
            for index in image + 37..<image + 60 { bytes[index] = 0xFF }
        } else {
            // Each image has one fdAT chunk, and the first fdAT belongs to the second image.
            let image = places(Array("fdAT".utf8))[number - 1]
            for index in image + 8..<image + 40 { bytes[index] = 0xFF }
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test("A WebP whose first image cannot be decoded is refused with what to do")
    func damagedFirst() async throws {
        let directory = try TemporaryDirectory()
        let path = try await write("a.webp", in: directory)
        try damage(path, image: 0)
        let error = try #require(throws: MediaError.self) { try Probe.facts(ofFile: path) }
        #expect(error.code == .damaged && error.subject == path)
        #expect(error.message == "is damaged: its first frame cannot be decoded; copy or export the file again")
    }

    private func warnings(_ source: SourceReference, _ tenths: [Int], reversed: Bool = false) throws -> [SourceWarning] {
        let log = DamageLog()
        let reader = try FrameReader(source, damage: log)
        for tenth in tenths {
            _ = try reader.frame(at: MediaTime(Rational(Int64(tenth * 2 + 1), 20)), reversed: reversed)
        }
        return log.warnings
    }

    @Test(
        "An image that cannot be decoded is reported with its time, and later ones as damaged", arguments: kinds
    )
    func damaged(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        let path = try await write(name, in: directory)
        let whole = SourceReference(facts: try Probe.facts(ofFile: path), path: path)
        #expect(whole.facts.video?.frameCount == 8)
        #expect(try warnings(whole, Array(0..<8)) == [])
        #expect(try warnings(whole, (0..<8).reversed(), reversed: true) == [])
        try damage(path)
        let source = SourceReference(facts: try Probe.facts(ofFile: path), path: path)
        let all = try warnings(source, Array(0..<8))
        print("\(name): \(all.map(\.message))")
        let frozen = try #require(all.first { $0.code == .frozenPictures })
        #expect(abs(frozen.time - 0.3) < 0.011)
        // libwebp does not continue after an image that it cannot decode.
        #expect(frozen.count == (name.hasSuffix(".webp") ? 5 : 1))
        let behind = all.filter { $0.code == .damagedPictures }.reduce(0) { $0 + $1.count }
        #expect(behind == (name.hasSuffix(".webp") ? 0 : 4))
        #expect(try warnings(source, [0, 1, 2]) == [], "before it all is good")
        #expect(try warnings(source, (0..<8).reversed(), reversed: true) == all)
    }
}
