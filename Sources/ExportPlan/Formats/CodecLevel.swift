package import ExactTime
package import Vocabulary

/// The codec level that a film of a given size and bitrate needs. Encoders would choose it from the bitrate of each
/// segment; the segments of one film could then have different levels and could not be joined.
///
/// The limits are those of table A-1 of ITU-T H.264 (High profile) and table A.8 of ITU-T H.265 (Main tier).
package struct CodecLevel {
    /// Ten times the level's number.
    package var level: Int
    /// The most luma samples of one frame, and per second.
    private var frame, rate: Int
    /// The most luma samples in the decoded picture buffer.
    private var kept: Int
    /// The highest bitrate, in kilobits per second.
    private var bitrate: Int

    private init(_ level: Int, frame: Int, rate: Int, kept: Int, bitrate: Int) {
        (self.level, self.frame, self.rate, self.kept, self.bitrate) = (level, frame, rate, kept, bitrate)
    }

    /// The table of H.264 counts macroblocks of 256 luma samples.
    private static func h264(_ level: Int, _ frame: Int, _ rate: Int, _ kept: Int, _ bitrate: Int) -> CodecLevel {
        CodecLevel(level, frame: frame * 256, rate: rate * 256, kept: kept * 256, bitrate: bitrate)
    }

    /// The decoded picture buffer of HEVC holds six frames of the largest size.
    private static func hevc(_ level: Int, _ frame: Int, _ rate: Int, _ bitrate: Int) -> CodecLevel {
        CodecLevel(level, frame: frame, rate: rate, kept: frame * 6, bitrate: bitrate)
    }

    private static let h264 = [
        h264(10, 99, 1_485, 396, 80), h264(11, 396, 3_000, 900, 240), h264(12, 396, 6_000, 2_376, 480),
        h264(13, 396, 11_880, 2_376, 960), h264(20, 396, 11_880, 2_376, 2_500), h264(21, 792, 19_800, 4_752, 5_000),
        h264(22, 1_620, 20_250, 8_100, 5_000), h264(30, 1_620, 40_500, 8_100, 12_500), h264(31, 3_600, 108_000, 18_000, 17_500),
        h264(32, 5_120, 216_000, 20_480, 25_000), h264(40, 8_192, 245_760, 32_768, 25_000),
        h264(41, 8_192, 245_760, 32_768, 62_500), h264(42, 8_704, 522_240, 34_816, 62_500),
        h264(50, 22_080, 589_824, 110_400, 168_750), h264(51, 36_864, 983_040, 184_320, 300_000),
        h264(52, 36_864, 2_073_600, 184_320, 300_000), h264(60, 139_264, 4_177_920, 696_320, 300_000),
        h264(61, 139_264, 8_355_840, 696_320, 600_000), h264(62, 139_264, 16_711_680, 696_320, 1_000_000),
    ]

    private static let hevc = [
        hevc(10, 36_864, 552_960, 128), hevc(20, 122_880, 3_686_400, 1_500), hevc(21, 245_760, 7_372_800, 3_000),
        hevc(30, 552_960, 16_588_800, 6_000), hevc(31, 983_040, 33_177_600, 10_000), hevc(40, 2_228_224, 66_846_720, 12_000),
        hevc(41, 2_228_224, 133_693_440, 20_000), hevc(50, 8_912_896, 267_386_880, 25_000),
        hevc(51, 8_912_896, 534_773_760, 40_000), hevc(52, 8_912_896, 1_069_547_520, 60_000),
        hevc(60, 35_651_584, 1_069_547_520, 60_000), hevc(61, 35_651_584, 2_139_095_040, 120_000),
        hevc(62, 35_651_584, 4_278_190_080, 240_000),
    ]

    /// The levels of a codec; empty for codecs whose streams declare no level that depends on the bitrate.
    private static func table(of codec: VideoCodec) -> [CodecLevel] {
        switch codec {
        case .h264: h264
        case .hevc: hevc
        case .vp9, .av1, .prores, .gif, .webp, .png, .mjpeg, .tiff, .rawvideo: []
        }
    }

    /// The levels of a codec, each ten times its number, rising.
    package static func levels(of codec: VideoCodec) -> [Int] { table(of: codec).map(\.level) }

    /// Ten times the number of the lowest sufficient level; the highest level if none is sufficient. Nil for codecs
    /// whose streams declare no level that depends on the bitrate.
    /// - Parameter bitrate: the film's average, in bits per second; 0 where it is not known. Peaks of twice as much are
    ///   allowed, as libx264 does.
    package static func level(
        _ codec: VideoCodec, _ size: FrameSize, _ rate: FrameRate, speed: String, bitrate: Int
    ) -> Int? {
        let table = table(of: codec)
        guard !table.isEmpty else { return nil }
        // Sizes are rounded up to whole macroblocks of 16 pixels, which also covers x265's smallest coding blocks.
        let (width, height) = ((size.width + 15) / 16 * 16, (size.height + 15) / 16 * 16)
        let samples = width * height
        // At least four frames are kept, because B frames are themselves referred to.
        let kept = samples * max(4, EncoderPreset.referenceFrames(codec, speed))
        let fitting = table.first { limits in
            samples <= limits.frame && max(width, height) * max(width, height) <= limits.frame * 8
                && Rational(samples) * rate.framesPerSecond <= Rational(limits.rate)
                && kept <= limits.kept && bitrate * 2 <= limits.bitrate * 1000
        }
        return fitting?.level ?? 62
    }
}
