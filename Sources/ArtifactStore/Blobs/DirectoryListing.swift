import ExportPlan
import FoundationEssentials
import Glibc

/// Finds the blobs of a directory in the order of their names, and looks into no more folders than it has to.
struct DirectoryListing {
    let root: String
    let prefix: String
    let after: BlobName?
    let limit: Int
    private(set) var found: [BlobListing] = []

    init(root: String, prefix: String, after: BlobName?, limit: Int) {
        self.root = root
        self.prefix = prefix
        self.after = after
        self.limit = limit
    }

    /// Adds the blobs of a folder and of those within, until there are enough.
    /// - Parameter folder: its path in the store, empty or with a slash at the end.
    /// - Throws: `BlobError` where a folder cannot be read.
    mutating func add(folder: String) throws(BlobError) {
        // A folder's name is compared with the slash that follows in the names of its blobs.
        for entry in try entries(of: folder).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            guard found.count < limit else { return }
            let path = folder + entry
            if entry.hasSuffix("/") {
                let mayMatch = path.hasPrefix(prefix) || prefix.hasPrefix(path)
                // The greatest name in the folder begins with the folder's own.
                let isBehind =
                    after.map { !$0.text.hasPrefix(path) && path.utf8.lexicographicallyPrecedes($0.text.utf8) } ?? false
                if mayMatch, !isBehind { try add(folder: path) }
                continue
            }
            guard path.hasPrefix(prefix), let name = BlobName(path), after.map({ $0 < name }) ?? true else { continue }
            var status = stat()
            guard lstat("\(root)/\(path)", &status) == 0, let info = BlobInfo(status) else { continue }
            found.append(BlobListing(name: name, info: info))
        }
    }

    /// The names in a folder; those of folders end with a slash.
    private func entries(of folder: String) throws(BlobError) -> [String] {
        guard let directory = opendir("\(root)/\(folder)") else {
            guard errno != ENOENT else { return [] }  // removed meanwhile
            throw BlobError(
                .unavailable, subject: "\(root)/\(folder)", message: "cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { closedir(directory) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard BlobName(name) != nil else { continue }
            var status = stat()
            guard fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }  // removed meanwhile
            switch status.st_mode & S_IFMT {
            case S_IFDIR: names.append(name + "/")
            case S_IFREG: names.append(name)
            default: break
            }
            errno = 0
        }
        return names
    }
}
