/// The name of a blob: parts with slashes between them, as in `tenants/1/ab/abcdef`. Where there is a blob `a/b`, there
/// can be none `a`, because a directory cannot have both.
package struct BlobName: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The longest name in bytes. S3 allows 1 024 with the store's own prefix, and file systems 255 in a part.
    package static let longest = 800
    package static let longestPart = 240

    package let text: String

    /// - Returns: nil where the text is no name: it is empty or too long, has a part that is empty, `.`, `..` or
    ///   `.spool-uploads`, or has control characters.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            !part.isEmpty && part.count <= BlobName.longestPart && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
                && !part.elementsEqual(BlobName.reserved.utf8)
        }
        guard isName, text.utf8.count <= BlobName.longest, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return nil
        }
        self.text = text
    }

    /// The folder in which a directory has uploads until they are complete.
    static let reserved = ".spool-uploads"

    package var description: String { text }

    /// By the bytes of the names, as S3 lists them.
    package static func < (one: BlobName, other: BlobName) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
}
