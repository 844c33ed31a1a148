/// The containers of pictures and sound.
extension ContainerFormat {
    static let mp4 = ContainerFormat(
        type: FileType(entry: "mp4"), name: "MP4", mediaType: "video/mp4", signatures: [ContainerSignature([4: "ftyp"])],
        content: .film, structure: .isoMedia, muxer: "mp4",
        videoCodecs: [.h264, .hevc, .av1, .vp9], audioCodec: .aac, codecTags: [.hevc: headerOnlyHEVC],
        copiedCodecs: ["h264", "hevc", "av1", "vp9", "mpeg4"], hasEditLists: true, subtitles: .timedText, hasCover: true,
        tags: TagSupport(namesBesideCover: TagSupport.iTunes))

    static let mov = ContainerFormat(
        type: FileType(entry: "mov"), name: "QuickTime", mediaType: "video/quicktime",
        signatures: [ContainerSignature([4: "ftyp", 8: "qt  "])], content: .film, structure: .quickTime, muxer: "mov",
        videoCodecs: [.h264, .hevc, .prores], transparentCodecs: [.prores], audioCodec: .aac, codecTags: [.hevc: headerOnlyHEVC],
        copiedCodecs: ["h264", "hevc", "prores", "mpeg4", "mjpeg"], hasEditLists: true, subtitles: .timedText)

    static let webm = ContainerFormat(
        type: FileType(entry: "webm"), name: "WebM", mediaType: "video/webm",
        signatures: [ContainerSignature(ebml, with: "webm")], content: .film, structure: .matroska, muxer: "webm",
        videoCodecs: [.vp9, .av1], transparentCodecs: [.vp9], audioCodec: .opus, copiedCodecs: ["vp9", "av1"], subtitles: .webVTT)

    static let mkv = ContainerFormat(
        type: FileType(entry: "mkv"), name: "Matroska", mediaType: "video/matroska", signatures: [ContainerSignature(ebml)],
        content: .film, structure: .matroska, muxer: "matroska",
        videoCodecs: [.h264, .hevc, .vp9, .av1], transparentCodecs: [.vp9], audioCodec: .opus,
        copiedCodecs: ["h264", "hevc", "vp9", "av1", "prores", "mjpeg"], subtitles: .subRip)

    /// An MPEG transport stream (ISO/IEC 13818-1). It has no header: libavformat puts parameter sets before each
    /// keyframe. Its clock cannot begin before 0, so pictures and sound are stored later by the same time. A title is
    /// the name of the service, in a descriptor of 255 bytes together with the provider's name (EN 300 468, 6.2.33).
    static let transportStream = ContainerFormat(
        type: FileType(entry: "ts"), name: "MPEG-TS", mediaType: "video/mp2t",
        signatures: [ContainerSignature([0x47], at: [0, 188])], content: .film, muxer: "mpegts", muxerDelay: 700_000,
        videoCodecs: [.h264, .hevc], audioCodec: .aac, copiedCodecs: ["h264", "hevc"], hasExactSound: false, chapters: nil,
        tags: TagSupport(names: ["title"], longestValue: 245))

    /// "hvc1" means that the parameter sets are only in the header. Apple's players play nothing else.
    private static let headerOnlyHEVC = "hvc1"

    /// How an EBML document begins (RFC 8794, section 11.2.1).
    private static let ebml: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
}
