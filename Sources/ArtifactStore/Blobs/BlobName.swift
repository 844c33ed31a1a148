/// The name of a blob: parts with slashes between them, as in `tenants/1/ab/abcdef`. Where there is a blob `a/b`, there
/// can be none `a`, because a directory cannot have both. Names are equal when their bytes are: the same letter may be
/// written with different ones.
package struct BlobName: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The longest name in bytes. S3 allows 1 024 with the store's own prefix, and file systems 255 in a part.
    package static let longest = 800
    package static let longestPart = 240

    package let text: String

    /// The folder of the last part, empty or with a slash at its end.
    var folder: String {
        let bytes = text.utf8
        return bytes.lastIndex(of: UInt8(ascii: "/")).map { String(decoding: bytes[...$0], as: UTF8.self) } ?? ""
    }

    /// - Returns: nil where the text is no name: it is empty or too long, has a part that is empty, `.`, `..`,
    ///   `.spool-uploads` or `.spool-store`, or has control characters.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            !part.isEmpty && part.count <= BlobName.longestPart && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
                && !BlobName.reserved.contains(String(decoding: part, as: UTF8.self))
        }
        guard isName, text.utf8.count <= BlobName.longest, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return nil
        }
        self.text = text
    }

    /// The folder in which a directory has uploads until they are complete.
    static let uploads = ".spool-uploads"
    /// Names of a directory's own files.
    private static let reserved: Set<String> = [uploads, ".spool-store"]

    package var description: String { text }

    package static func == (one: BlobName, other: BlobName) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    /// By the bytes of the names, as S3 lists them.
    package static func < (one: BlobName, other: BlobName) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
}
