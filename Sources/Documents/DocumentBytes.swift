import ExportPlan
import Media

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A regular file, open for reading: its beginning first, then all of it. Closes it in the end.
final class DocumentBytes {
    private let path: String
    private let file: UnsafeMutablePointer<FILE>
    private let byteCount: Int

    /// The first bytes, up to `headBytes`.
    let head: [UInt8]
    private static let headBytes = 8192

    /// - Returns: nil when it is not a regular file that can be read.
    init?(path: String) {
        // Opening a pipe would wait for somebody to write into it.
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = fopen(path, "rbe") else { return nil }
        self.path = path
        self.file = file
        byteCount = Int(status.st_size)
        head = DocumentBytes.read(file, DocumentBytes.headBytes)
    }

    deinit { fclose(file) }

    /// - Throws: `MediaError` `overLimit`.
    func all(atMost limit: Int) throws(MediaError) -> [UInt8] {
        // One more than what it had: a file that is being written to is not cut off in silence.
        let bytes = byteCount <= limit ? head + DocumentBytes.read(file, limit + 1 - head.count) : []
        guard byteCount <= limit, bytes.count <= limit else {
            throw MediaError(
                .overLimit, subject: path, message: "has \(byteCount) bytes; files of this kind are read up to \(limit)")
        }
        return bytes
    }

    private static func read(_ file: UnsafeMutablePointer<FILE>, _ limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < limit {
            let count = fread(&piece, 1, min(piece.count, limit - bytes.count), file)
            if count == 0 { break }
            bytes += piece[..<count]
        }
        return bytes
    }
}
