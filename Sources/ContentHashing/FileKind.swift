#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What kind of thing a path names, looked at without opening it: opening a named pipe waits for somebody to write into it, and a device may
/// never end. Only regular files are sources; everybody who is given a path asks here first.
public enum FileKind {
    /// What is wrong with a path as the name of a source, through links.
    /// - Returns: words that go on where the file's name ends, as in "is a FIFO, not a file"; nil for a regular file, and for what is not
    ///   there or may not be looked at, which opening it tells.
    public static func complaint(about path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let kind: String? =
            switch status.st_mode & S_IFMT {
            case S_IFREG: nil
            case S_IFIFO: "FIFO"
            case S_IFDIR: "directory"
            case S_IFSOCK: "socket"
            case S_IFCHR, S_IFBLK: "device"
            default: "thing of another kind"
            }
        return kind.map { "is a \($0), not a file" }
    }
}
