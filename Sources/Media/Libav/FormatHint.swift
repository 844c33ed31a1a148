/// Messages for files that libav's error would describe badly, chosen by the files' first bytes.
enum FormatHint {
    /// - Returns: the error for the user, or nil if the first bytes match no such format.
    /// - Throws: `MediaError` `cannotRead`.
    static func explain(_ file: SourceFile) throws(MediaError) -> (code: MediaErrorCode, message: String)? {
        switch try FileSignature(file) {
        case .heifSequence:
            (.unknownFormat, "is a HEIC or AVIF sequence that cannot be read; convert it to a video, GIF or APNG")
        case .packedLottie:
            (
                .unknownFormat,
                "is a packed Lottie animation; unpack it as a ZIP archive, and use the JSON file in its folder animations/"
            )
        case .heif, .animatedWebP, .svg, .lottie, .other: nil
        }
    }
}
