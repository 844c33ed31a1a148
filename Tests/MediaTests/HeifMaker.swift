import ExportPlan
import TestSupport
import FoundationEssentials

/// Makes HEIC and AVIF stills of twelve flat patches of known colours.
enum HeifMaker {
    static let size = FrameSize(width: 96, height: 48)
    /// The red, green and blue of each patch, from left to right and from top to bottom.
    static let patches: [[Int]] = [
        [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [0, 255, 255], [255, 0, 255], [128, 128, 128], [200, 100, 50],
        [255, 255, 255], [0, 0, 0], [60, 160, 90], [30, 60, 120],
    ]
    static let columns = 4
    /// The width and height of a patch, in pixels.
    static let side = FrameSize(width: 24, height: 16)

    /// The patches as a PNG.
    /// - Parameter alpha: the alpha of the left half, 0...255; nil for a picture without transparency.
    static func png(_ name: String, alpha: Int? = nil, in directory: TemporaryDirectory) async throws -> String {
        let path = directory.file(name)
        _ = try await PythonTool.run(
            """
            import sys
            from PIL import Image, ImageDraw
            picture = Image.new("RGB", (\(size.width), \(size.height)))
            for i, color in enumerate(\(patches)):
                x, y = i % \(columns) * \(side.width), i // \(columns) * \(side.height)
                ImageDraw.Draw(picture).rectangle((x, y, x + \(side.width - 1), y + \(side.height - 1)), fill=tuple(color))
            alpha = \(alpha ?? -1)
            if alpha >= 0:
                mask = Image.new("L", picture.size, 255)
                ImageDraw.Draw(mask).rectangle((0, 0, \(size.width / 2 - 1), \(size.height - 1)), fill=alpha)
                picture.putalpha(mask)
            picture.save(sys.argv[1])
            """, [path])
        return path
    }

    /// Encodes with libheif's own tool; the path's extension decides between HEIC and AVIF.
    static func encode(_ png: String, _ options: [String] = [], to path: String) async throws {
        let line = (["heif-enc"] + options + [png, "-o", path]).map { "'\($0)'" }.joined(separator: " ")
        let outcome = try await ShellTool.run(line)
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "\(line): \(outcome.errors)") }
    }

    /// Replaces the file's `pixi` property, which is not needed here, by another one.
    /// - Parameters:
    ///   - property: `irot` or `imir`.
    ///   - value: the first byte of the property.
    static func replacePixelInformation(of path: String, with property: String, _ value: UInt8) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        guard let place = bytes.indices.dropLast(8).first(where: { bytes[$0..<$0 + 4].elementsEqual("pixi".utf8) }) else {
            throw FFmpegTool.Failure(description: "no pixi in \(path)")
        }
        bytes.replaceSubrange(place..<place + 5, with: Array(property.utf8) + [value])
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
