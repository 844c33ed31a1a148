/// The container of uncompressed pictures, for programs that read a pipe.
extension ContainerFormat {
    /// NUT with pictures as they were composed, or as red, green, blue and alpha, and 16-bit PCM.
    static let nut = ContainerFormat(
        type: FileType(entry: "nut"), name: "NUT", mediaType: "video/x-nut",
        signatures: [ContainerSignature([0: "nut/multimedia container"])], content: .film, muxer: "nut",
        videoCodecs: [.rawvideo], transparentCodecs: [.rawvideo], audioCodec: .pcm)
}
