/// One video codec: its encoder, the options that depend only on the settings, and what its streams can keep.
/// Parameters that need code, such as levels and passes, are in `VideoEncoderSetup` in `Media`.
package struct VideoCodecFormat: Hashable, Sendable {
    /// The layout of the samples that an encoder is given, by libavutil's name.
    package enum Pixels: String, Hashable, Sendable {
        case yuv420 = "yuv420p"
        case yuv420p10 = "yuv420p10le"
        case yuv422p10 = "yuv422p10le"
        case yuva420 = "yuva420p"
        case yuva444p10 = "yuva444p10le"
        case palette = "pal8"
        case bgra, rgba
        case rgb24
        /// 4:2:0 with full range, as JFIF has it.
        case yuvj420 = "yuvj420p"
    }

    /// The settings that differ for pictures that keep their transparency.
    package struct Transparency: Hashable, Sendable {
        /// The samples that the encoder gets, with straight alpha.
        package var pixels: Pixels
        /// The container of segments until they are stitched.
        package var segmentType: FileType
        /// The options that replace those of the same name.
        package var options: [EncoderOption] = []
    }

    package var codec: VideoCodec
    /// The name in messages and documents.
    package var name: String
    /// The encoder's name in libavcodec.
    package var encoder: String
    /// Whether an installation without the encoder is of no use, because common exports need it.
    package var isRequired = false
    /// The container of a file whose type nobody chose.
    package var usualType: FileType
    /// The container of segments until they are stitched.
    package var segmentType: FileType
    /// The samples that the encoder gets for pictures of 8 bits in BT.709.
    package var pixels = Pixels.yuv420
    /// The samples that the encoder gets for pictures that keep 10 bits; nil if it has only 8.
    package var tenBitPixels: Pixels?
    /// How transparent pictures are encoded; nil if the codec has no alpha.
    package var transparency: Transparency?
    /// The options in the order in which the encoder gets them, without those that need code.
    package var options: [EncoderOption] = []
    /// How a quality is chosen; nil if the codec decides by itself.
    package var quality: QualityScale?
    /// How a bitrate is met; nil if none can be chosen.
    package var bitrate: BitrateRule?
    /// The profiles that can be chosen.
    package var profiles: [VideoProfile] = []
    /// Whether streams say which matrix and which primaries they have.
    package var hasColorTags = false
    /// Whether pictures depend on earlier ones, so that the distance of keyframes means something.
    package var hasKeyframes = false
    /// Whether encoded pictures can stand beside copied ones in one stream.
    package var standsBesideCopies = false
    /// Whether the encoder takes the colour tags from each picture instead of its own context. FFmpeg's ProRes encoder
    /// writes the picture's tags into every frame header.
    package var tagsEachPicture = false
    /// Whether one tick of the encoder's clock is one frame. Its output is counted in frames until the film's own times
    /// are known.
    package var countsFrames = false

    /// Whether the encoder works differently with each of libx264's presets.
    package var hasSpeeds: Bool { options.contains { $0.value.dependsOnSpeed } }
}

/// An encoder's scale of constant quality. Lower factors are better.
package struct QualityScale: Hashable, Sendable {
    /// How the encoder is told a factor.
    package enum Notation: Hashable, Sendable {
        case factor
        /// As a whole number.
        case wholeFactor
        /// On libwebp's scale from 100, the best, to 0, the worst.
        case percentage
        /// As libavcodec's lambda: 118 for each step of a quantiser from 1 on.
        case lambda
    }

    /// The option's name in libavcodec.
    package var option: String
    package var notation = Notation.factor
    /// The best factor is 0, the worst is this one.
    package var worst: Double
    /// The factors that look about the same in each encoder, for presets of the highest, a high, a medium and a low
    /// quality.
    package var highest, high, medium, low: Double
    /// Further options that a quality needs.
    package var furtherOptions: [EncoderOption] = []

    /// The factor as the encoder's option takes it.
    package func text(_ factor: Double) -> String {
        switch notation {
        case .factor: "\(factor)"
        case .wholeFactor: "\(Int(factor.rounded()))"
        case .percentage: "\(max(0, 100 - factor * 1.25))"
        case .lambda: "\(Int((max(1, factor) * 118).rounded()))"
        }
    }
}

/// What is known of an encoder's bitrates.
package struct BitrateRule: Hashable, Sendable {
    /// The quality of the first measurement of a film (docs/decisions/0014-bitrate.md).
    package var measuringFactor: Double
    /// The bits that real footage takes at that quality, in hundredths of a bit per pixel.
    package var centibitsPerPixel: Int
    /// The step of the factor that halves or doubles the bits.
    package var factorStep: Double
    /// The highest bitrate that the encoder accepts, in bits per second.
    package var highest = 1_000_000_000
}
