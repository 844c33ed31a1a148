/// The file type of an export, by the usual suffix of its files. The types are those of `FormatCatalogue.containers`, so
/// a new container needs no line here.
package struct FileType: RawRepresentable, CaseIterable, Hashable, Sendable, Codable, CustomStringConvertible {
    package let rawValue: String

    /// - Returns: nil unless the catalogue has a container of this name.
    package init?(rawValue: String) {
        guard FormatCatalogue.container(named: rawValue) != nil else { return nil }
        self.rawValue = rawValue
    }

    /// The file type of a catalogue entry.
    init(entry name: String) { rawValue = name }

    package static let allCases = FormatCatalogue.containers.map(\.type)

    package var description: String { rawValue }

    /// What files of this type can hold, and how they are written.
    package var format: ContainerFormat {
        guard let format = FormatCatalogue.container(named: rawValue) else {
            preconditionFailure("a file type is made only from an entry of the catalogue")
        }
        return format
    }
}

/// The file types that code refers to by name.
extension FileType {
    package static let mp4 = ContainerFormat.mp4.type
    package static let mov = ContainerFormat.mov.type
    package static let webm = ContainerFormat.webm.type
    package static let mkv = ContainerFormat.mkv.type
    package static let m4a = ContainerFormat.m4a.type
    package static let wav = ContainerFormat.wav.type
    package static let mp3 = ContainerFormat.mp3.type
    package static let flac = ContainerFormat.flac.type
    package static let ogg = ContainerFormat.ogg.type
    package static let gif = ContainerFormat.gif.type
    package static let webp = ContainerFormat.webp.type
    package static let nut = ContainerFormat.nut.type
    package static let png = ContainerFormat.png.type
    package static let jpeg = ContainerFormat.jpeg.type
    package static let tiff = ContainerFormat.tiff.type
    package static let webpStills = ContainerFormat.webpStills.type
    package static let hls = ContainerFormat.hls.type
}

/// The codec of the pictures. The names are those of libavcodec.
package enum VideoCodec: String, CaseIterable, Hashable, Sendable, Codable {
    case h264, hevc, vp9, av1, prores
    /// Animated pictures, each in its own file type.
    case gif, webp
    /// Numbered pictures, each in its own file type.
    case png, mjpeg, tiff
    /// Uncompressed pictures.
    case rawvideo

    /// How the codec is encoded, and what it can keep.
    package var format: VideoCodecFormat {
        switch self {
        case .h264: .h264
        case .hevc: .hevc
        case .vp9: .vp9
        case .av1: .av1
        case .prores: .prores
        case .gif: .gif
        case .webp: .webp
        case .png: .png
        case .mjpeg: .mjpeg
        case .tiff: .tiff
        case .rawvideo: .rawvideo
        }
    }
}

/// The H.264 profile (ITU-T H.264, annex A), in ascending order of what a player must support.
package enum VideoProfile: String, CaseIterable, Hashable, Sendable, Codable { case baseline, main, high }

/// The codec of the sound.
package enum AudioCodec: String, CaseIterable, Hashable, Sendable, Codable {
    /// AAC-LC.
    case aac
    case opus, mp3, flac
    /// 16-bit PCM, little endian.
    case pcm

    /// How the codec is encoded, and what it can hold.
    package var format: AudioCodecFormat {
        switch self {
        case .aac: .aac
        case .opus: .opus
        case .mp3: .mp3
        case .flac: .flac
        case .pcm: .pcm
        }
    }
}
