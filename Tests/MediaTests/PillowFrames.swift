import ExactTime
import ExportPlan
import Media
import TestSupport
import FoundationEssentials

/// The frames of an animated picture as Python's Pillow made or reads them: the reference for the frames of
/// `FrameReader`.
struct PillowFrames {
    let size: FrameSize
    /// RGBA with straight alpha; transparent pixels are black.
    let pictures: [[UInt8]]
    /// The start of each frame and the end of the last one, by the rule of browsers: 10 ms and less count as 100 ms.
    let times: [MediaTime]

    /// Creates a file with frames of moving shapes and transparency between them, one for each delay, given in
    /// milliseconds.
    /// - Parameter options: the options of Pillow's `save`, in Python's syntax.
    static func made(_ path: String, delays: [Int], options: String, in directory: TemporaryDirectory) async throws
        -> PillowFrames
    {
        try await run(
            """
            frames = []
            for i in range(\(delays.count)):
                picture = Image.new("RGBA", (60, 40), (0, 0, 0, 0))
                draw = ImageDraw.Draw(picture)
                draw.rectangle((4 * i, 3 * i, 4 * i + 12, 3 * i + 9), fill=(255 - 20 * i, 40 * i % 256, 30 + 25 * i, 255))
                draw.ellipse((42 - 3 * i, 5, 52 - 3 * i, 15), fill=(10, 200, 30 * i % 256, 90 if path.endswith("webp") else 255))
                frames.append(picture)
            frames[0].save(path, save_all=True, append_images=frames[1:], duration=\(delays), \(options))
            """, path, in: directory)
    }

    /// Reads the frames of a file with Pillow.
    static func read(_ path: String, in directory: TemporaryDirectory) async throws -> PillowFrames {
        try await run("", path, in: directory)
    }

    private static func run(_ making: String, _ path: String, in directory: TemporaryDirectory) async throws -> PillowFrames {
        let raw = directory.file("pillow.rgba")
        let script = """
            import sys
            from PIL import Image, ImageDraw
            path, raw = sys.argv[1:3]
            \(making)
            film = Image.open(path)
            print(film.size[0], film.size[1])
            with open(raw, "wb") as out:
                for i in range(film.n_frames):
                    film.seek(i)
                    film.load()
                    print(int(film.info.get("duration", 0)))
                    out.write(film.convert("RGBA").tobytes())
            """
        let lines = try await PythonTool.run(script, [path, raw]).split(separator: "\n")
        let sides = lines[0].split(separator: " ").compactMap { Int($0) }
        let delays = lines.dropFirst().compactMap { Int64($0) }
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        let frameBytes = sides[0] * sides[1] * 4
        var times = [MediaTime.zero]
        for delay in delays {
            times.append(times[times.count - 1] + MediaTime(Rational(delay <= 10 ? 100 : delay, 1000)))
        }
        return PillowFrames(
            size: FrameSize(width: sides[0], height: sides[1]),
            pictures: delays.indices.map { seen(Array(bytes[$0 * frameBytes..<($0 + 1) * frameBytes])) }, times: times)
    }

    /// The pixels with fully transparent ones set to black, because readers may return any colour there.
    static func seen(_ rgba: [UInt8]) -> [UInt8] {
        var result = rgba
        for pixel in stride(from: 0, to: result.count, by: 4) where result[pixel + 3] == 0 {
            for channel in 0..<3 { result[pixel + channel] = 0 }
        }
        return result
    }

    /// The pixels of a decoded frame in the same form.
    static func seen(_ frame: VideoFrame, _ video: VideoFacts) throws -> [UInt8] {
        let rgba = try PictureScaler(subject: "test").scale(
            frame, region: .whole, color: video.color, to: .rgba, size: frame.size)
        let plane = rgba.plane(0)
        return seen(
            (0..<plane.height).flatMap { y in Array(UnsafeBufferPointer(start: plane.row(y), count: plane.width * 4)) })
    }
}
