public import ExactTime
public import ExportPlan
import SampleMedia

/// Numbered clips of 10 bits, as cameras and editors hand them over: HEVC without loss, in any colours, with what is said of their light.
public struct DeepClip: Sendable {
    public enum Colors: String, CaseIterable, Sendable {
        case pq, hlg, sdr

        /// Primaries, transfer and matrix by ffmpeg's names.
        public var names: (primaries: String, transfer: String, matrix: String) {
            switch self {
            case .pq: ("bt2020", "smpte2084", "bt2020nc")
            case .hlg: ("bt2020", "arib-std-b67", "bt2020nc")
            case .sdr: ("bt709", "bt709", "bt709")
            }
        }

        /// For ffmpeg's output.
        public var options: [String] {
            [
                "-color_primaries", names.primaries, "-color_trc", names.transfer, "-colorspace", names.matrix, "-color_range",
                "tv",
            ]
        }
    }

    /// What a clip says of its light where it says anything, as ffprobe counts it in steps of ST 2086.
    public static let light = [
        "green_x": 13_250, "green_y": 34_500, "blue_x": 7500, "blue_y": 3000, "red_x": 34_000, "red_y": 16_000,
        "white_point_x": 15_635, "white_point_y": 16_450, "max_luminance": 10_000_000, "min_luminance": 50, "max_content": 1000,
        "max_average": 400,
    ]
    private static let parameters =
        "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400"

    public static let size = FrameSize(width: 320, height: 180)

    /// Writes a clip with sound. Its lowest bits, which 8 bits do not have, differ from place to place.
    /// - Parameter path: should end in `.mp4` or `.mkv`.
    public static func write(
        _ colors: Colors, saysLight: Bool = false, size: FrameSize = size, rate: FrameRate = FrameRate(30), frames: Int,
        options: [String] = [], to path: String
    ) async throws {
        let directory = try TemporaryDirectory()
        let plain = directory.file("plain.mp4")
        try SampleClip(
            picture: NumberedPicture(blue: 150, red: 110), tone: TestTone(frequency: 440), size: size, frameRate: rate,
            frameCount: frames
        ).write(to: plain)
        let low = "geq=lum='lum(X,Y)+mod(X+3*Y+N,4)':cb='cb(X,Y)+mod(X+N,3)':cr='cr(X,Y)+mod(Y,4)'"
        let parameters = "log-level=none:lossless=1:keyint=24:min-keyint=24" + (saysLight ? ":" + DeepClip.parameters : "")
        try await FFmpegTool.ffmpeg(
            [
                "-i", plain, "-vf", "format=yuv420p10le,\(low)", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                parameters, "-c:a", "copy",
            ] + colors.options + options + [path])
    }
}
