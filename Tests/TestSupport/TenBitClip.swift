package import ExactTime
package import ExportPlan
import SampleMedia

/// Numbered 10-bit clips like those of cameras and editors: lossless HEVC in any colours, with HDR metadata.
package struct TenBitClip: Sendable {
    package enum Colors: String, CaseIterable, Sendable {
        case pq, hlg, sdr

        /// The primaries, transfer and matrix by ffmpeg's names.
        package var names: (primaries: String, transfer: String, matrix: String) {
            switch self {
            case .pq: ("bt2020", "smpte2084", "bt2020nc")
            case .hlg: ("bt2020", "arib-std-b67", "bt2020nc")
            case .sdr: ("bt709", "bt709", "bt709")
            }
        }

        /// The colour options of ffmpeg's output.
        package var options: [String] {
            [
                "-color_primaries", names.primaries, "-color_trc", names.transfer, "-colorspace", names.matrix, "-color_range",
                "tv",
            ]
        }
    }

    /// The HDR metadata of a clip that has any, as ffprobe reports it in the steps of SMPTE ST 2086.
    package static let hdrMetadata = [
        "green_x": 13_250, "green_y": 34_500, "blue_x": 7500, "blue_y": 3000, "red_x": 34_000, "red_y": 16_000,
        "white_point_x": 15_635, "white_point_y": 16_450, "max_luminance": 10_000_000, "min_luminance": 50, "max_content": 1000,
        "max_average": 400,
    ]
    private static let parameters =
        "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400"

    package static let size = FrameSize(width: 320, height: 180)

    /// Writes a clip with sound. Its two lowest bits, which 8-bit pictures do not have, vary over the picture.
    /// - Parameter path: should end in `.mp4` or `.mkv`.
    package static func write(
        _ colors: Colors, hasHDRMetadata: Bool = false, size: FrameSize = size, rate: FrameRate = FrameRate(30), frames: Int,
        options: [String] = [], to path: String
    ) async throws {
        let method = ["10 bits", "\(colors)", "\(hasHDRMetadata)", "\(size)", "\(rate)", "\(frames)"] + options
        try await MadeFiles.shared.copy(to: path, madeBy: method) { path in
            let directory = try TemporaryDirectory()
            let plain = directory.file("plain.mp4")
            try SampleClip(
                picture: NumberedPicture(blue: 150, red: 110), tone: TestTone(frequency: 440), size: size, frameRate: rate,
                frameCount: frames
            ).write(to: plain)
            let low = "geq=lum='lum(X,Y)+mod(X+3*Y+N,4)':cb='cb(X,Y)+mod(X+N,3)':cr='cr(X,Y)+mod(Y,4)'"
            let parameters =
                "log-level=none:lossless=1:keyint=24:min-keyint=24" + (hasHDRMetadata ? ":" + TenBitClip.parameters : "")
            try await FFmpegTool.ffmpeg(
                [
                    "-i", plain, "-vf", "format=yuv420p10le,\(low)", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                    parameters, "-c:a", "copy",
                ] + colors.options + options + [path])
        }
    }
}
