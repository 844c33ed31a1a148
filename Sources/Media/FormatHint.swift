/// Files that libav's refusal would describe badly, told by their first bytes.
enum FormatHint {
    /// - Returns: what to tell the user, or nil when the first bytes say nothing special.
    /// - Throws: `MediaError` `cannotRead`.
    static func explain(_ file: SourceFile) throws(MediaError) -> (code: MediaErrorCode, message: String)? {
        switch try FileSignature(file) {
        case .heifSequence:
            (.unknownFormat, "is a HEIC or AVIF sequence that cannot be read; convert it to a video, GIF or APNG")
        case .heif, .animatedWebP, .other: nil
        }
    }
}
