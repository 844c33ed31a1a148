import Captions
import ExactTime
import ExportPlan
import Lettering
import TestSupport
import Vocabulary

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Captions of a test, drawn onto a grey frame as Spool draws them and as ffmpeg's `subtitles` does.
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
        size: FrameSize = size
    ) throws -> CaptionPainter {
        let content = CaptionContent(source: "s", start: .zero, size: size, layoutSize: Captioned.size, look: look)
        return try CaptionPainter(
            CaptionFile(text, format, subject: "words"), content, coversFrame: coversFrame, subject: "words")
    }

    /// What is to be seen at each of these times, drawn in this order; nil where nothing is.
    static func pictures(_ painter: CaptionPainter, at milliseconds: [Int64]) -> [DrawnPicture?] {
        var last: DrawnPicture?
        return milliseconds.map { time in
            switch painter.draw(at: MediaTime(Rational(time, 1000))) {
            case .same: break
            case .nothing: last = nil
            case .picture(let picture): last = picture
            }
            return last
        }
    }

    /// Red, green and blue of the whole frame, on grey, not rounded.
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

    /// Frames of ffmpeg's filter on the same grey, 25 a second.
    static func throughFFmpeg(_ text: String, name: String, style: String? = nil, frames: Int) async throws -> [[UInt8]] {
        let directory = try TemporaryDirectory()
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file(name)))
        let out = directory.file("out.raw")
        let force = style.map { ":force_style='\($0)'" } ?? ""
        let filter = name.hasSuffix(".ass") ? "ass=\(directory.file(name))" : "subtitles=\(directory.file(name))\(force)"
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "color=c=0x5A5A5A:s=\(size):r=25,format=rgb24", "-vf", filter, "-frames:v", "\(frames)", "-f",
            "rawvideo", "-pix_fmt", "rgb24", out,
        ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: out)))
        let frame = size.width * size.height * 3
        return (0..<frames).map { Array(bytes[($0 * frame)..<(($0 + 1) * frame)]) }
    }

    /// The largest difference, for the log and the test; how many values are more than one apart.
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
