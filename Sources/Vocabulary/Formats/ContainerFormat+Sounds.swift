/// The containers of sound alone.
extension ContainerFormat {
    static let m4a = ContainerFormat(
        type: FileType(entry: "m4a"), name: "M4A", mediaType: "audio/mp4",
        signatures: [ContainerSignature([4: "ftyp", 8: "M4A "])], content: .sound, structure: .isoMedia, muxer: "ipod",
        audioCodec: .aac, hasCover: true, tags: TagSupport(namesBesideCover: TagSupport.iTunes))

    static let wav = ContainerFormat(
        type: FileType(entry: "wav"), name: "WAV", mediaType: "audio/wav", signatures: [ContainerSignature([0: "RIFF"])],
        content: .sound, muxer: "wav", audioCodec: .pcm, chapters: nil)

    static let mp3 = ContainerFormat(
        type: FileType(entry: "mp3"), name: "MP3", mediaType: "audio/mpeg",
        signatures: [ContainerSignature([0: "ID3"]), ContainerSignature([0xFF, 0xFB])], content: .sound, muxer: "mp3",
        audioCodec: .mp3, hasCover: true)

    static let flac = ContainerFormat(
        type: FileType(entry: "flac"), name: "FLAC", mediaType: "audio/flac", signatures: [ContainerSignature([0: "fLaC"])],
        content: .sound, muxer: "flac", audioCodec: .flac, chapters: .vorbisComments, hasCover: true)

    static let ogg = ContainerFormat(
        type: FileType(entry: "ogg"), name: "Ogg", furtherSuffixes: ["opus"], mediaType: "audio/ogg",
        signatures: [ContainerSignature([0: "OggS"])], content: .sound, muxer: "ogg", audioCodec: .opus,
        chapters: .vorbisComments)
}
