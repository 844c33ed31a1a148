import CPango
import ContentHashing
public import ExportPlan
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The files that fonts come from, each hashed once as long as it stays as it is.
public final class FontFiles: Sendable {
    public static let shared = FontFiles()

    private struct Identity: Hashable {
        var path: String
        var byteCount: Int
        var seconds: Int
        var nanoseconds: Int
        var inode: UInt64
    }

    private let hashes = Mutex<[Identity: String]>([:])

    /// - Throws: `LetteringError` `missingFont` for a file that is not there any more, `cannotRead` for one that the storage does not
    ///   give out.
    public func hash(ofFile path: String) throws(LetteringError) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw LetteringError(.missingFont, subject: path, message: "is not there any more")
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
            throw LetteringError(.cannotRead, subject: path, message: "cannot be read: \(error.reason)")
        }
    }

    /// - Parameter pattern: what fontconfig knows of the font.
    func file(of pattern: OpaquePointer) throws(LetteringError) -> FontFile {
        // A family's name may follow the machine's language, which must not decide about keys.
        let name = FontFiles.text(FC_POSTSCRIPT_NAME, of: pattern) ?? FontFiles.text(FC_FAMILY, of: pattern) ?? "font"
        guard let path = FontFiles.text(FC_FILE, of: pattern) else {
            throw LetteringError(.missingFont, subject: name, message: "comes from no file")
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
    /// Refuses a font that a film was not planned with: another version of it, or one that stands in for another here than there.
    /// - Throws: `LetteringError` `otherFont`.
    public func require(among planned: [FontFile]) throws(LetteringError) {
        guard !planned.contains(where: { $0.contentHash == contentHash }) else { return }
        let names = planned.map { "'\($0.name)'" }.joined(separator: ", ")
        throw LetteringError(
            .otherFont, subject: name,
            message:
                "would be taken on this machine, in this version; the film was planned with \(names)")
    }
}
