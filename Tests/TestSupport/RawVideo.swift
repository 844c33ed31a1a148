public import ExportPlan

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Video without loss: files whose every sample a test has chosen, and every sample of a file as ffmpeg decodes it.
public enum RawVideo {
    /// Writes pictures as FFV1, which keeps every bit.
    /// - Parameters:
    ///   - pictures: raw samples in `pixelFormat`, one element a frame.
    ///   - pixelFormat: libavutil's name.
    ///   - options: further output options, colour tags above all.
    ///   - path: should end in `.mkv`, which stores colour tags.
    public static func write(
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

    /// Tags of a picture that needs no conversion.
    public static let bt709 = [
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
    ]

    /// All frames of a file that are shown, in order, turned upright.
    public static func decode(_ path: String, pixelFormat: String, bytesPerFrame: Int) async throws -> [[UInt8]] {
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
