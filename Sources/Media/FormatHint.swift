#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Files that libav's refusal would describe badly, told by their first bytes.
enum FormatHint {
    /// - Returns: what to tell the user, or nil when the first bytes say nothing special.
    static func explain(_ path: String) -> (code: MediaErrorCode, message: String)? {
        guard let file = fopen(path, "rbe") else { return nil }  // whoever opened it knows why it cannot be read
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        func text(_ range: Range<Int>) -> String {
            range.upperBound <= bytes.count ? String(decoding: bytes[range], as: UTF8.self) : ""
        }
        if text(4..<8) == "ftyp", ["heic", "heix", "mif1", "msf1", "hevc", "avif", "avis"].contains(text(8..<12)) {
            return (
                .unknownFormat, "is a HEIC or AVIF picture, which this version cannot read; convert it to JPEG, PNG or WebP"
            )
        }
        if text(0..<4) == "RIFF", text(8..<16) == "WEBPVP8X", bytes.count > 20, bytes[20] & 0x02 != 0 {
            return (
                .unknownFormat, "is an animated WebP, which this version cannot read; convert it to GIF, APNG or a video"
            )
        }
        return nil
    }
}
