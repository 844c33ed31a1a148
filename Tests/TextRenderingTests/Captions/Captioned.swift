import TextRendering
import ExactTime
import ExportPlan
import TestSupport
import Vocabulary
import FoundationEssentials

/// Draws captions of a test onto a grey frame, once with Spool and once with ffmpeg.
struct Captioned {
    static let size = FrameSize(width: 640, height: 360)
    static let gray = 90.0

    static func look(_ change: (inout CaptionContent.Look) -> Void = { _ in }) -> CaptionContent.Look {
        var look = CaptionContent.Look(
            font: "DejaVu Sans 28", color: RGBAColor(red: 255, green: 255, blue: 255, alpha: 255),
            stroke: Stroke(color: .black, width: 4), backgroundBox: nil, alignment: .center, verticalAlignment: .bottom,
            marginX: 20, marginY: 18)
        change(&look)
        return look
    }

    static func painter(
        _ text: String, _ format: CaptionFormat, _ look: CaptionContent.Look? = look(), coversFrame: Bool = false,
        size: FrameSize = size, fonts: FontLibrary? = nil, planned: [FontFile]? = nil
    ) throws -> CaptionPainter {
        let content = CaptionContent(
            source: "s", start: .zero, size: size, layoutSize: Captioned.size, look: look, fonts: planned)
        return try CaptionPainter(
            CaptionFile(text, format, subject: "words"), content, fonts: fonts ?? FontLibrary(), coversFrame: coversFrame,
            subject: "words")
    }

    /// The pictures at these times, drawn in this order; nil where nothing is seen.
    static func pictures(_ painter: CaptionPainter, at milliseconds: [Int64]) throws -> [DrawnPicture?] {
        var last: DrawnPicture?
        return try milliseconds.map { time in
            switch try painter.draw(at: MediaTime(Rational(time, 1000))) {
            case .same: break
            case .nothing: last = nil
            case .picture(let picture): last = picture
            }
            return last
        }
    }

    /// Red, green and blue of the whole frame on grey, without rounding.
    static func onGray(_ picture: DrawnPicture?) -> [Double] {
        var frame = [Double](repeating: gray, count: size.width * size.height * 3)
        guard let picture else { return frame }
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let from = (y * picture.width + x) * 4
                let to = ((y - picture.origin.y) * size.width + x - picture.origin.x) * 3
                let rest = 1 - Double(picture.pixels[from + 3]) / 255
                for channel in 0..<3 { frame[to + channel] = Double(picture.pixels[from + channel]) + frame[to + channel] * rest }
            }
        }
        return frame
    }

    /// Frames of ffmpeg's filter `ass` on the same grey, 25 per second.
    /// - Parameter style: the fields of a style after its name, for a file that ffmpeg first has to convert to a
    ///   script. (Its filter `subtitles` would convert it, too, but it shapes text in a simpler way than players do.)
    static func throughFFmpeg(_ text: String, style: String? = nil, frames: Int) async throws -> [[UInt8]] {
        let directory = try TemporaryDirectory()
        let script = directory.file("a.ass")
        if let style {
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file("a.srt")))
            try await FFmpegTool.ffmpeg(["-i", directory.file("a.srt"), directory.file("converted.ass")])
            let converted = try Data(contentsOf: URL(fileURLWithPath: directory.file("converted.ass")))
            let lines = String(decoding: converted, as: UTF8.self).split(whereSeparator: \.isNewline).map {
                line in
                if line.hasPrefix("PlayResX") { return "PlayResX: \(size.width)" }
                if line.hasPrefix("PlayResY") { return "PlayResY: \(size.height)" }
                return line.hasPrefix("Style: ") ? "Style: Default,\(style)" : String(line)
            }
            try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: script))
        } else {
            try Data(text.utf8).write(to: URL(fileURLWithPath: script))
        }
        let out = directory.file("out.raw")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "color=c=0x5A5A5A:s=\(size):r=25,format=rgb24", "-vf", "ass=\(script)", "-frames:v",
            "\(frames)", "-f", "rawvideo", "-pix_fmt", "rgb24", out,
        ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: out)))
        let frame = size.width * size.height * 3
        return (0..<frames).map { Array(bytes[($0 * frame)..<(($0 + 1) * frame)]) }
    }

    /// The bounding box of the visible pixels in the frame; libass's bitmaps may have empty columns on the right.
    static func ink(_ picture: DrawnPicture) -> (left: Int, top: Int, right: Int, bottom: Int) {
        var box = (left: Int.max, top: Int.max, right: 0, bottom: 0)
        for y in 0..<picture.height {
            for x in 0..<picture.width where picture.pixels[(y * picture.width + x) * 4 + 3] > 20 {
                let (column, row) = (x - picture.origin.x, y - picture.origin.y)
                box = (min(box.left, column), min(box.top, row), max(box.right, column + 1), max(box.bottom, row + 1))
            }
        }
        return box
    }

    /// The greatest difference, and the number of values that differ by more than one.
    static func compare(_ name: String, _ drawn: [Double], _ witness: [UInt8]) -> (largest: Double, unequal: Int) {
        var largest = 0.0
        var unequal = 0
        for (one, other) in zip(drawn, witness) {
            let difference = abs(one - Double(other))
            largest = max(largest, difference)
            if difference > 1.5 { unequal += 1 }
        }
        print("captions beside ffmpeg: \(name): largest difference \(largest), \(unequal) of \(witness.count) values over 1.5")
        return (largest, unequal)
    }
}
