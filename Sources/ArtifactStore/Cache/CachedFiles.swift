import ExportPlan
import FoundationEssentials
import Glibc

/// The files below a cache's directory, for removing the longest unused ones.
///
/// Rendering processes may write into parts of the directory, so folders are opened without following links, and files are
/// removed from the opened folders. Hidden names at the top are the cache's own and are left alone, and so are folders named
/// `tmp`, in which files are written until they are complete.
struct CachedFiles {
    private struct File {
        var folder: [String]
        var name: String
        var byteCount: Int64
        var usedAt: Date
    }

    let directory: String

    /// How deep folders are looked into; a store's names have five parts at most.
    private static let depth = 16

    /// Removes the longest unused files until the others have at most so many bytes. Files that a process uses
    /// (`CachedFile`), and those that were used within `grace`, stay.
    /// - Parameter limit: at least 0.
    /// - Returns: the bytes that were removed and those that are left.
    /// - Throws: `BlobError` `cannotRead` where the directory cannot be read.
    func reduce(to limit: Int64, grace: Duration, at now: Date = Date()) throws(BlobError) -> (removed: Int64, left: Int64) {
        let root = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else {
            throw BlobError(
                .cannotRead, subject: directory, message: "cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(root) }
        var files: [File] = []
        list(root, [], &files)
        var left = files.reduce(0) { $0 + $1.byteCount }
        var removed: Int64 = 0
        let latest = now.addingTimeInterval(-(grace / .seconds(1)))
        for file in files.sorted(by: { $0.usedAt < $1.usedAt }) {
            guard left > limit, file.usedAt <= latest else { break }
            guard remove(file, root) else { continue }
            left -= file.byteCount
            removed += file.byteCount
        }
        return (removed, left)
    }

    /// A folder that cannot be read is passed over: what is in it stays.
    private func list(_ folder: Int32, _ path: [String], _ files: inout [File]) {
        for name in names(in: folder) where !(path.isEmpty && name.hasPrefix(".")) {
            var status = stat()
            guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                let used = max(Date(status.st_atim), Date(status.st_mtim))
                files.append(File(folder: path, name: name, byteCount: Int64(status.st_size), usedAt: used))
            case S_IFDIR where path.count < CachedFiles.depth && name != "tmp":
                guard let inner = CachedFiles.folder(name, in: folder) else { continue }
                list(inner, path + [name], &files)
                close(inner)
            default: continue
            }
        }
    }

    private static func folder(_ name: String, in folder: Int32) -> Int32? {
        let inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        return inner >= 0 ? inner : nil
    }

    private func names(in folder: Int32) -> [String] {
        let copy = dup(folder)
        guard copy >= 0, let stream = fdopendir(copy) else {
            if copy >= 0 { close(copy) }
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// - Returns: false where the file is in use, is another one by now, or cannot be removed.
    private func remove(_ file: File, _ root: Int32) -> Bool {
        var folder = dup(root)
        guard folder >= 0 else { return false }
        defer { close(folder) }
        for part in file.folder {
            guard let inner = CachedFiles.folder(part, in: folder) else { return false }
            close(folder)
            folder = inner
        }
        let descriptor = openat(folder, file.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
        var (own, there) = (stat(), stat())
        guard fstat(descriptor, &own) == 0, fstatat(folder, file.name, &there, AT_SYMLINK_NOFOLLOW) == 0,
            own.st_ino == there.st_ino, max(Date(own.st_atim), Date(own.st_mtim)) <= file.usedAt
        else { return false }
        return unlinkat(folder, file.name, 0) == 0
    }
}
