import CPango
import ContentHashing
package import ExportPlan
import Synchronization
import Glibc

/// The hashes of font files. Each file is hashed once as long as it does not change.
package final class FontFiles: Sendable {
    package static let shared = FontFiles()

    private struct Identity: Hashable {
        var path: String
        var byteCount: Int
        var seconds: Int
        var nanoseconds: Int
        var inode: UInt64
    }

    private let hashes = Mutex<[Identity: String]>([:])

    /// - Throws: `TextRenderingError` `missingFont` for a file that no longer exists, `cannotRead` for one that the storage
    ///   does not deliver.
    package func hash(ofFile path: String) throws(TextRenderingError) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw TextRenderingError(.missingFont, subject: path, message: "no longer exists")
        }
        let identity = Identity(
            path: path, byteCount: Int(status.st_size), seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec,
            inode: UInt64(status.st_ino))
        if let known = hashes.withLock({ $0[identity] }) { return known }
        do throws(ContentHash.ReadError) {
            let hash = try ContentHash.ofFile(path).hash
            hashes.withLock { $0[identity] = hash }
            return hash
        } catch {
            throw TextRenderingError(.cannotRead, subject: path, message: "cannot be read: \(error.reason)")
        }
    }

    /// - Parameter pattern: fontconfig's pattern of the font.
    func file(of pattern: OpaquePointer) throws(TextRenderingError) -> FontFile {
        // The PostScript name comes first, because a family's name may depend on the machine's language, which must not
        // change keys.
        let name = FontFiles.text(FC_POSTSCRIPT_NAME, of: pattern) ?? FontFiles.text(FC_FAMILY, of: pattern) ?? "font"
        guard let path = FontFiles.text(FC_FILE, of: pattern) else {
            throw TextRenderingError(.missingFont, subject: name, message: "does not come from a file")
        }
        return FontFile(contentHash: try hash(ofFile: path), name: name)
    }

    static func text(_ property: String, of pattern: OpaquePointer) -> String? {
        var value: UnsafeMutablePointer<FcChar8>?
        guard FcPatternGetString(pattern, property, 0, &value) == FcResultMatch, let value else { return nil }
        return String(cString: value)
    }
}

extension FontFile {
    /// Refuses a font that the film was not planned with, such as another version of a font, or a different fallback
    /// font.
    /// - Throws: `TextRenderingError` `otherFont`.
    package func require(among planned: [FontFile]) throws(TextRenderingError) {
        guard !planned.contains(where: { $0.contentHash == contentHash }) else { return }
        let names = planned.map { "'\($0.name)'" }.joined(separator: ", ")
        throw TextRenderingError(
            .otherFont, subject: name,
            message:
                "would be used on this machine, in this version; the film was planned with \(names)")
    }
}
