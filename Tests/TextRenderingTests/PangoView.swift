import Subprocess
import TestSupport
import FoundationEssentials

/// The same text drawn by the command line tool `pango-view`: white, where its markup says nothing else, on a transparent
/// background, with a margin.
struct PangoView {
    static let margin = 40

    var width: Int
    var height: Int
    /// Rows of straight red, green, blue and alpha.
    var pixels: [UInt8]
    var alpha: [UInt8] { stride(from: 3, to: pixels.count, by: 4).map { pixels[$0] } }

    /// - Parameter options: further options of the tool.
    init(_ text: String, font: String, options: [String] = []) async throws {
        let files = try TemporaryDirectory()
        let image = files.file("p.png")
        // The tool of Pango 1.50 has the meaning of this option inverted: only "on" gives the line distance of the
        // font.
        let result = try await Subprocess.run(
            .name("pango-view"),
            arguments: Arguments(
                [
                    "-q", "--pixels", "--font=\(font)px", "--text=\(text)", "--margin=\(PangoView.margin)", "--hinting=none",
                    "--antialias=gray", "--hint-metrics=on", "--subpixel-positions", "--background=transparent",
                    "--foreground=#ffffff", "--language=en", "--output=\(image)",
                ] + options),
            // The tool reads its options in the encoding of the locale.
            environment: .inherit.updating(["LC_ALL": "C.UTF-8"]), output: .discarded, error: .string(limit: 1 << 16))
        guard result.terminationStatus.isSuccess else { throw FFmpegTool.Failure(description: result.standardError) }
        try await FFmpegTool.ffmpeg(["-i", image, "-f", "rawvideo", "-pix_fmt", "rgba", files.file("p.raw")])
        let size = try await FFmpegTool.ffprobe([
            "-show_entries", "stream=width,height", "-of", "csv=p=0", image,
        ]).split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
        (width, height) = (size[0], size[1])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: files.file("p.raw"))))
        pixels = bytes
    }

    /// The premultiplied colour at a position counted from the text's corner.
    func color(fromBox x: Int, _ y: Int) -> [UInt8] {
        let (column, row) = (x + PangoView.margin, y + PangoView.margin)
        guard column >= 0, row >= 0, column < width, row < height else { return [0, 0, 0, 0] }
        let pixel = pixels[(4 * (row * width + column))..<(4 * (row * width + column) + 4)].map { Int($0) }
        return pixel[..<3].map { UInt8(($0 * pixel[3] + 127) / 255) } + [UInt8(pixel[3])]
    }

    /// The alpha at a position counted from the text's corner.
    func alpha(fromBox x: Int, _ y: Int) -> UInt8 {
        let (column, row) = (x + PangoView.margin, y + PangoView.margin)
        guard column >= 0, row >= 0, column < width, row < height else { return 0 }
        return pixels[4 * (row * width + column) + 3]
    }
}
