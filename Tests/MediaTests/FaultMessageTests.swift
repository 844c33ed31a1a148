import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// The messages about damaged files: one line that names the cause, as the library words it, and the remedy.
@Suite struct FaultMessageTests {
    @Test("The message about a PNG with a wrong checksum names the cause, and not only that the decoder quits")
    func damagedPNG() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("damaged.png")
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "testsrc=s=64x64", "-frames:v", "1", path])
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        // The last byte before the IEND chunk belongs to the checksum of the picture data.
        bytes[bytes.count - 13] ^= 0xFF
        let error = try refusal(of: bytes, path)
        #expect(
            error.message == "is damaged: its picture cannot be decoded (CRC mismatch in chunk); copy or export the file again")
    }

    @Test("The message about a cut AVIF or HEIC picture is one line", arguments: ["avif", "heic"])
    func cutHeif(_ type: String) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("cut.\(type)")
        let whole = directory.file("whole.\(type)")
        let picture = directory.file("picture.png")
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "testsrc=s=128x96", "-frames:v", "1", picture])
        try await HeifMaker.encode(picture, to: whole)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: whole)))
        let error = try refusal(of: Array(bytes.dropLast(200)), path)
        #expect(error.message.hasPrefix("is damaged: its picture cannot be decoded (") && error.message.contains("end of file"))
        #expect(error.message.hasSuffix("); copy or export the file again"))
        let lines = error.message.split(whereSeparator: \.isNewline)
        #expect(lines.count == 1)
    }

    @Test("The messages about an MP4 that ends inside its index and one with a damaged index say where the index is")
    func movieIndex() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("film.mp4")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=64x64:r=25:d=1", "-c:v", "libx264", "-movflags", "faststart", path,
        ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let name = try #require(bytes.indices.first { bytes[$0...].starts(with: "moov".utf8) })
        let size = bytes[name - 4..<name].reduce(0) { $0 << 8 | Int($1) }
        let index = name - 4
        for length in [20, 200, size / 2] {
            let end = index + length
            let cut = try refusal(of: Array(bytes.prefix(end)), path)
            #expect(
                cut.message
                    == "is cut short: it ends at byte \(end), inside its index (the moov atom, bytes \(index) to \(index + size)); "
                    + "copy or export the file again")
        }
        // The size of the first box is damaged, so no box after it can be found.
        var damaged = bytes
        for place in 0..<4 { damaged[place] = 0x7F }
        let lost = try refusal(of: damaged, path)
        #expect(
            lost.message == "is damaged: its index (the moov atom at byte \(index)) cannot be read; copy or export the file again"
        )
        let missing = try refusal(of: Array(bytes.prefix(index)), path)
        #expect(missing.message.hasSuffix("; copy or export the file again"))
    }

    private func refusal(of bytes: [UInt8], _ path: String) throws -> MediaError {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let error = try #require(throws: MediaError.self) { try Probe.facts(ofFile: path) }
        #expect(error.code == .damaged && error.subject == path)
        return error
    }
}
