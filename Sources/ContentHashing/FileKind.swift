import Glibc

/// The kind of file at a path, found without opening it: opening a named pipe waits for a writer, and reading a device
/// may never end. Only regular files can be sources, so every path from outside is checked here first.
package enum FileKind {
    /// What is wrong with a path as the path of a source; links are followed.
    /// - Returns: words that follow the file's name, as in "is a FIFO, not a file". Nil for a regular file, and for a
    ///   file that does not exist or may not be examined, because opening it reports that.
    package static func complaint(about path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let kind: String? =
            switch status.st_mode & S_IFMT {
            case S_IFREG: nil
            case S_IFIFO: "FIFO"
            case S_IFDIR: "directory"
            case S_IFSOCK: "socket"
            default: "device"
            }
        return kind.map { "is a \($0), not a file" }
    }
}
