import Subprocess
import TestSupport
import FoundationEssentials

/// The same text drawn by the command line tool `pango-view`: white on a transparent background, with a margin.
struct PangoView {
    static let margin = 40

    var width: Int
    var height: Int
    /// Rows of premultiplied alpha.
    var alpha: [UInt8]

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
        alpha = stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] }
    }

    /// The alpha at a position counted from the text's corner.
    func alpha(fromBox x: Int, _ y: Int) -> UInt8 {
        let (column, row) = (x + PangoView.margin, y + PangoView.margin)
        guard column >= 0, row >= 0, column < width, row < height else { return 0 }
        return alpha[row * width + column]
    }
}
