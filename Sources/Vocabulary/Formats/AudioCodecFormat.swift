/// One audio codec: its encoder, and the sound that it can hold.
package struct AudioCodecFormat: Hashable, Sendable {
    /// The format of the samples that an encoder is given, by libavutil's name.
    package enum Samples: String, Hashable, Sendable {
        case float = "flt"
        case planarFloat = "fltp"
        case integer16 = "s16"
    }

    package var codec: AudioCodec
    /// The name in messages and documents.
    package var name: String
    /// The encoder's name in libavcodec.
    package var encoder: String
    /// Whether an installation without the encoder is of no use, because common exports need it.
    package var isRequired = false
    package var options: [EncoderOption] = []
    package var samples: Samples
    /// Whether every sample comes back as it was; such codecs have no bitrate to choose.
    package var isLossless = false
    /// The sample rates in Hz that the codec supports; nil if it supports any.
    package var sampleRates: [Int]?
    /// The sample rate in Hz of a film for which none was chosen.
    package var usualSampleRate = 44_100
    /// The most channels that the codec supports.
    package var maxChannels = 6
    /// The container of the encoded soundtrack until it is stitched with the picture. Each stores exactly how much
    /// silence the encoder added before and after the sound. Matroska, whose clock counts milliseconds, would lose that
    /// of MP3.
    package var soundtrackType: FileType
    /// The number of samples of a packet where the packets depend on few samples before and behind them alone, and not on
    /// the encoder's or decoder's memory of all before. A sound in such a codec can be encoded in parts that are joined
    /// without a seam. Nil for other codecs.
    package var packetLength: Int?
}

/// The audio codecs.
extension AudioCodecFormat {
    static let aac = AudioCodecFormat(
        codec: .aac, name: "AAC", encoder: "aac", isRequired: true, samples: .planarFloat,
        sampleRates: [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000], soundtrackType: .mp4,
        packetLength: 1024)

    static let opus = AudioCodecFormat(
        codec: .opus, name: "Opus", encoder: "libopus",
        options: [EncoderOption("application", .fixed("audio")), EncoderOption("vbr", .fixed("on"))], samples: .float,
        sampleRates: [8000, 12000, 16000, 24000, 48000], usualSampleRate: 48_000, soundtrackType: .ogg)

    static let mp3 = AudioCodecFormat(
        codec: .mp3, name: "MP3", encoder: "libmp3lame", samples: .planarFloat,
        sampleRates: [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000], maxChannels: 2, soundtrackType: .mp3)

    static let flac = AudioCodecFormat(
        codec: .flac, name: "FLAC", encoder: "flac", samples: .integer16, isLossless: true, soundtrackType: .flac)

    static let pcm = AudioCodecFormat(
        codec: .pcm, name: "PCM", encoder: "pcm_s16le", samples: .integer16, isLossless: true, soundtrackType: .wav)
}
