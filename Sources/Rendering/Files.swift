import ExportPlan
import Media

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Writes a whole file.
/// - Throws: `MediaError` `cannotWrite`.
func writeFile(_ bytes: Data, to path: String) throws {
    do {
        try bytes.write(to: URL(fileURLWithPath: path))
    } catch {
        throw MediaError(.cannotWrite, subject: path, message: "cannot be written")
    }
}

/// Gives a file another name, in the place of what has it.
func renameFile(_ path: String, to other: String) throws {
    guard rename(path, other) == 0 else {
        throw MediaError(.cannotWrite, subject: other, message: "cannot be written: \(String(cString: strerror(errno)))")
    }
}

/// Removes a file if it is there.
func removeFile(_ path: String) {
    unlink(path)
}
