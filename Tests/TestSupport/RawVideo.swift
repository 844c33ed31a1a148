package import ExportPlan
import FoundationEssentials

/// Lossless video: writes files with given samples, and decodes files to samples with ffmpeg.
package enum RawVideo {
    /// Writes pictures as FFV1, which is lossless.
    /// - Parameters:
    ///   - pictures: the raw samples in `pixelFormat`, one element per frame.
    ///   - pixelFormat: libavutil's name of the pixel format.
    ///   - options: further output options, mainly colour tags.
    ///   - path: should end in `.mkv`, which stores colour tags.
    package static func write(
        _ pictures: [[UInt8]], pixelFormat: String, size: FrameSize, rate: Int = 25, options: [String] = bt709, to path: String
    ) async throws {
        let raw = path + ".raw"
        try Data(pictures.flatMap { $0 }).write(to: URL(fileURLWithPath: raw))
        try await FFmpegTool.ffmpeg(
            [
                "-f", "rawvideo", "-pix_fmt", pixelFormat, "-s", "\(size)", "-r", "\(rate)", "-i", raw, "-c:v", "ffv1",
                "-pix_fmt", pixelFormat,
            ] + options + [path])
        try FileManager.default.removeItem(atPath: raw)
    }

    /// The colour tags of a picture that needs no conversion.
    package static let bt709 = [
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
    ]

    /// All shown frames of a file in order, rotated upright.
    package static func decode(_ path: String, pixelFormat: String, bytesPerFrame: Int) async throws -> [[UInt8]] {
        let directory = try TemporaryDirectory()
        let raw = directory.file("decoded.raw")
        try await FFmpegTool.ffmpeg([
            "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", pixelFormat, raw,
        ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        return stride(from: 0, to: bytes.count - bytesPerFrame + 1, by: bytesPerFrame).map {
            Array(bytes[$0..<($0 + bytesPerFrame)])
        }
    }
}
