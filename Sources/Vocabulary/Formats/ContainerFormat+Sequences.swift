/// The containers of numbered picture files (docs/decisions/0041-exports-beside-films.md).
extension ContainerFormat {
    static let png = sequence("png", "PNG pictures", ["png"], .png, isTransparent: true)
    static let jpeg = sequence("jpeg", "JPEG pictures", ["jpg", "jpeg"], .mjpeg)
    static let tiff = sequence("tiff", "TIFF pictures", ["tif", "tiff"], .tiff, isTransparent: true)
    static let webpStills = sequence("webpStills", "WebP pictures", ["webp"], .webp, isTransparent: true)

    private static func sequence(
        _ name: String, _ title: String, _ suffixes: [String], _ codec: VideoCodec, isTransparent: Bool = false
    ) -> ContainerFormat {
        ContainerFormat(
            type: FileType(entry: name), name: title, pictureSuffixes: suffixes, mediaType: "application/x-tar",
            // The first picture's name, which fills its field up with zeros.
            signatures: [ContainerSignature([0: "00001.\(suffixes[0])\0"])], content: .sequence, structure: .archive,
            muxer: "image2", videoCodecs: [codec], transparentCodecs: isTransparent ? [codec] : [], chapters: nil,
            tags: TagSupport(names: []))
    }
}
