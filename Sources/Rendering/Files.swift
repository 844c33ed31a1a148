import ExportPlan
import Media

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

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
