#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a film is to a browser, by how its file begins: each kind that an export may be has a signature.
enum FilmType {
    /// A media type as IANA lists it, or as browsers know it.
    static func mediaType(of path: String) -> String {
        guard let file = fopen(path, "rbe") else { return unknown }
        defer { fclose(file) }
        var head = [UInt8](repeating: 0, count: 64)
        let count = fread(&head, 1, head.count, file)
        return mediaType(ofHead: head.prefix(count))
    }

    static func mediaType(ofHead head: ArraySlice<UInt8>) -> String {
        func has(_ text: String, at offset: Int) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
        if has("ftyp", at: 4) {
            return has("qt  ", at: 8) ? "video/quicktime" : has("M4A ", at: 8) ? "audio/mp4" : "video/mp4"
        }
        if has("RIFF", at: 0) { return has("WEBP", at: 8) ? "image/webp" : "audio/wav" }
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            // The header of EBML says for which kind of document it is.
            return String(decoding: head, as: Unicode.ASCII.self).contains("webm") ? "video/webm" : "video/matroska"
        }
        if has("GIF8", at: 0) { return "image/gif" }
        if has("fLaC", at: 0) { return "audio/flac" }
        if has("OggS", at: 0) { return "audio/ogg" }
        if has("ID3", at: 0) || head.starts(with: [0xFF, 0xFB]) { return "audio/mpeg" }
        return unknown
    }

    private static let unknown = "application/octet-stream"
}
