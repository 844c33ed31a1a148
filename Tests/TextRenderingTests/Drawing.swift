import ExportPlan
import TextRendering
import TestSupport
import Vocabulary
import FoundationEssentials

/// Draws texts for tests, with a new typesetter each time.
enum Drawing {
    static let font = "DejaVu Sans 48"

    static func text(_ content: TextContent) throws -> DrawnPicture {
        let picture = try Typesetter(fonts: FontLibrary()).draw(content)
        return picture
    }

    static func units(_ content: TextContent, by unit: TextUnit) throws -> [DrawnUnit] {
        try Typesetter(fonts: FontLibrary()).units(of: content, by: unit)
    }

    /// Saves a picture over grey as a PNG file for inspection, if `SPOOL_LOOK` names a directory.
    static func show(_ picture: DrawnPicture, as name: String) async throws {
        guard let directory = ProcessInfo.processInfo.environment["SPOOL_LOOK"] else { return }
        var seen = picture
        for place in stride(from: 0, to: seen.pixels.count, by: 4) {
            let rest = 255 - Int(seen.pixels[place + 3])
            for channel in 0..<3 { seen.pixels[place + channel] += UInt8(rest * 128 / 255) }
            seen.pixels[place + 3] = 255
        }
        let files = try TemporaryDirectory()
        try Data(seen.pixels).write(to: URL(fileURLWithPath: files.file("p.raw")))
        try await FFmpegTool.ffmpeg([
            "-f", "rawvideo", "-pix_fmt", "rgba", "-s", "\(seen.width)x\(seen.height)", "-i", files.file("p.raw"),
            "\(directory)/text-\(name).png",
        ])
    }
}
