import ExportPlan
import Media
import FoundationEssentials
import Glibc

/// Writes a whole file.
/// - Throws: `MediaError` `cannotWrite`.
func writeFile(_ bytes: Data, to path: String) throws {
    do {
        try bytes.write(to: URL(fileURLWithPath: path))
    } catch {
        throw MediaError(.cannotWrite, subject: path, message: "cannot be written")
    }
}

/// Renames a file, replacing a file that already has the new name.
func renameFile(_ path: String, to other: String) throws {
    guard rename(path, other) == 0 else {
        throw MediaError(.cannotWrite, subject: other, message: "cannot be written: \(String(cString: strerror(errno)))")
    }
}

/// Removes a file if it exists.
func removeFile(_ path: String) {
    unlink(path)
}
