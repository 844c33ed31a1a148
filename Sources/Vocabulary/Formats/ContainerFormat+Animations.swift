/// The containers of repeating pictures (docs/decisions/0016-animated-pictures.md).
extension ContainerFormat {
    /// A GIF counts time in hundredths of a second, and players do not honour delays below two hundredths.
    static let gif = ContainerFormat(
        type: FileType(entry: "gif"), name: "GIF", mediaType: "image/gif", signatures: [ContainerSignature([0: "GIF8"])],
        content: .animation, structure: .gif, muxer: "gif", videoCodecs: [.gif], chapters: nil, highestFrameRate: 50)

    static let webp = ContainerFormat(
        type: FileType(entry: "webp"), name: "WebP", mediaType: "image/webp",
        signatures: [ContainerSignature([0: "RIFF", 8: "WEBP"])], content: .animation, structure: .webp, muxer: "webp",
        videoCodecs: [.webp], transparentCodecs: [.webp], chapters: nil, tags: TagSupport(names: TagSupport.xmp))
}
