import ExportPlan

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Removes a file if it is there.
func removeFile(_ path: String) {
    unlink(path)
}

/// Gives a finished file its final name in one step.
/// - Throws: `JobFailure`, class `transient`.
func moveFile(_ path: String, to final: String) throws {
    guard rename(path, final) == 0 else {
        throw JobFailure(.transient, subject: final, message: "cannot be written: \(String(cString: strerror(errno)))")
    }
}
