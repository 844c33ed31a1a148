import Glibc

/// The first bytes of the films, sounds and pictures that Spool writes.
enum FilmSignature {
    /// The bytes with which a file of a format begins, by their offset.
    private static let all: [(offset: Int, bytes: [UInt8])] = [
        (4, Array("ftyp".utf8)),  // MP4, QuickTime
        (0, [0x1A, 0x45, 0xDF, 0xA3]),  // Matroska, WebM
        (0, [0x89] + Array("PNG".utf8)), (0, [0xFF, 0xD8, 0xFF]), (0, Array("GIF8".utf8)),
        (0, Array("RIFF".utf8)),  // WAV, WebP
        (0, Array("OggS".utf8)), (0, Array("fLaC".utf8)), (0, Array("ID3".utf8)),
    ]

    /// Whether a file may be something else than a film, a sound or a picture, such as a font; true where it cannot be
    /// read.
    static func isAbsent(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return true }
        defer { close(file) }
        var head = [UInt8](repeating: 0, count: 8)
        let count = read(file, &head, head.count)
        return !all.contains { signature in
            let end = signature.offset + signature.bytes.count
            return count >= end && Array(head[signature.offset..<end]) == signature.bytes
        }
    }
}
