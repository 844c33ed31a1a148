import ExactTime
import ExportPlan

/// The level of H.264 that a film is within, by table A-1 of ITU-T H.264. libx264 finds it by itself, but from the bitrate of the
/// segment: then segments of one film could have different ones, and could not be joined.
enum H264Level {
    private struct Limits {
        /// Ten times the level's number.
        var level: Int
        /// Macroblocks per second, of a frame, and of all frames that are kept.
        var rate, frame, kept: Int
        /// Kilobits per second, of the High profile.
        var bitrate: Int
    }

    private static let table = [
        Limits(level: 10, rate: 1_485, frame: 99, kept: 396, bitrate: 80),
        Limits(level: 11, rate: 3_000, frame: 396, kept: 900, bitrate: 240),
        Limits(level: 12, rate: 6_000, frame: 396, kept: 2_376, bitrate: 480),
        Limits(level: 13, rate: 11_880, frame: 396, kept: 2_376, bitrate: 960),
        Limits(level: 20, rate: 11_880, frame: 396, kept: 2_376, bitrate: 2_500),
        Limits(level: 21, rate: 19_800, frame: 792, kept: 4_752, bitrate: 5_000),
        Limits(level: 22, rate: 20_250, frame: 1_620, kept: 8_100, bitrate: 5_000),
        Limits(level: 30, rate: 40_500, frame: 1_620, kept: 8_100, bitrate: 12_500),
        Limits(level: 31, rate: 108_000, frame: 3_600, kept: 18_000, bitrate: 17_500),
        Limits(level: 32, rate: 216_000, frame: 5_120, kept: 20_480, bitrate: 25_000),
        Limits(level: 40, rate: 245_760, frame: 8_192, kept: 32_768, bitrate: 25_000),
        Limits(level: 41, rate: 245_760, frame: 8_192, kept: 32_768, bitrate: 62_500),
        Limits(level: 42, rate: 522_240, frame: 8_704, kept: 34_816, bitrate: 62_500),
        Limits(level: 50, rate: 589_824, frame: 22_080, kept: 110_400, bitrate: 168_750),
        Limits(level: 51, rate: 983_040, frame: 36_864, kept: 184_320, bitrate: 300_000),
        Limits(level: 52, rate: 2_073_600, frame: 36_864, kept: 184_320, bitrate: 300_000),
        Limits(level: 60, rate: 4_177_920, frame: 139_264, kept: 696_320, bitrate: 300_000),
        Limits(level: 61, rate: 8_355_840, frame: 139_264, kept: 696_320, bitrate: 600_000),
        Limits(level: 62, rate: 16_711_680, frame: 139_264, kept: 696_320, bitrate: 1_000_000),
    ]

    /// Frames that libx264's presets refer to; with pictures that B frames refer to it keeps four.
    private static func keptFrames(_ speed: String) -> Int {
        let references = ["slow": 5, "slower": 8, "veryslow": 16, "placebo": 16]
        return max(4, references[speed] ?? 3)
    }

    /// Ten times the level's number; the highest where none is enough.
    /// - Parameter bitrate: of the film, in bits per second. As libx264 does, twice as much is allowed for the busiest moments.
    static func level(_ size: FrameSize, _ rate: FrameRate, speed: String, bitrate: Int) -> Int {
        let (width, height) = ((size.width + 15) / 16, (size.height + 15) / 16)
        let blocks = width * height
        let fitting = table.first { limits in
            blocks <= limits.frame && width * width <= limits.frame * 8 && height * height <= limits.frame * 8
                && Rational(blocks) * rate.framesPerSecond <= Rational(limits.rate)
                && blocks * keptFrames(speed) <= limits.kept && bitrate * 2 <= limits.bitrate * 1000
        }
        return fitting?.level ?? 62
    }
}
