import CFFmpeg
import ExportPlan
public import Vocabulary

extension FileType {
    /// libavformat's name.
    var muxer: String {
        switch self {
        case .mkv: "matroska"
        case .m4a: "ipod"
        case .mp4, .mov, .webm, .wav, .mp3, .flac, .ogg, .gif, .webp: rawValue
        }
    }

    /// Whether it is made of ISO's boxes, or Apple's.
    var isISO: Bool { [.mp4, .mov, .m4a].contains(self) }

    /// Whether it is made of Matroska's elements.
    var isMatroska: Bool { self == .webm || self == .mkv }

    /// Whether its tags are those of Vorbis.
    var hasVorbisComments: Bool { self == .ogg || self == .flac }

    /// What players want a stream to be called; 0 leaves it to libavformat.
    func tag(of codec: AVCodecID) -> UInt32 {
        // "hvc1": the parameter sets are in the header alone. Apple's players play nothing else.
        codec == AV_CODEC_ID_HEVC && isISO ? 0x3163_7668 : 0
    }
}

extension VideoCodec {
    /// What segments are kept in until they are joined.
    public var segmentFile: FileType {
        switch self {
        case .h264, .hevc, .vp9, .av1: .mp4
        case .prores: .mov
        case .gif: .gif
        case .webp: .webp
        }
    }
}

extension AudioCodec {
    /// What the encoded sound is kept in until it is joined with the picture: the file that tells exactly of the silence which the encoder puts in
    /// front and behind. Matroska, whose clock counts milliseconds, loses that of MP3.
    public var soundtrackFile: FileType {
        switch self {
        case .aac: .mp4
        case .opus: .ogg
        case .mp3: .mp3
        case .flac: .flac
        case .pcm: .wav
        }
    }
}
