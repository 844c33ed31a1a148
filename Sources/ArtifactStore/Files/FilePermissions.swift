import Glibc

/// The permissions of a file. A file that is written anew and replaces an old one is a new file to the system. Without
/// this, a draft that only its owner could read would be readable by everybody after an edit.
struct FilePermissions: Equatable {
    /// The permission bits to read, write and execute, for the owner, the group and everybody else.
    var mode: mode_t
    var owner: uid_t
    var group: gid_t

    /// - Returns: nil when there is no regular file; links are followed.
    init?(ofFile path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        mode = status.st_mode & 0o777
        owner = status.st_uid
        group = status.st_gid
    }

    /// Gives a file the same permissions, as far as this user may. If the group cannot be set, the file's own group
    /// gets no more permissions than everybody.
    func give(to path: String) {
        guard let own = FilePermissions(ofFile: path), own != self else { return }
        // Only root may change a file's owner; otherwise the file stays with the user that wrote it.
        if own.owner != owner { _ = chown(path, owner, gid_t.max) }
        var mode = mode
        if own.group != group, chown(path, uid_t.max, group) != 0 {
            let everybody = mode & 0o007
            mode = mode & ~0o070 | mode & 0o070 & everybody << 3
        }
        // A failure is ignored: a file system without permissions has none to preserve.
        _ = chmod(path, mode)
    }
}
