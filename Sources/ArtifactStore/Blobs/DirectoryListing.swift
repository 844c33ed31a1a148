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
            // Names are bytes: a letter may be one that a mark behind it changes.
            if entry.utf8.last == UInt8(ascii: "/") {
                let mayMatch = path.utf8.starts(with: prefix.utf8) || prefix.utf8.starts(with: path.utf8)
                // The greatest name in the folder begins with the folder's own.
                let isBehind =
                    after.map { !$0.text.utf8.starts(with: path.utf8) && path.utf8.lexicographicallyPrecedes($0.text.utf8) }
                    ?? false
                if mayMatch, !isBehind { try add(folder: path) }
                continue
            }
            guard path.utf8.starts(with: prefix.utf8), let name = BlobName(path), after.map({ $0 < name }) ?? true else {
                continue
            }
            var status = stat()
            guard lstat("\(root)/\(path)", &status) == 0, let info = BlobInfo(status) else { continue }
            found.append(BlobListing(name: name, info: info))
        }
    }

    /// The names in a folder; those of folders end with a slash.
    private func entries(of folder: String) throws(BlobError) -> [String] {
        guard let directory = opendir("\(root)/\(folder)") else {
            guard errno != ENOENT || folder.isEmpty else { return [] }  // removed meanwhile
            throw failure(folder, errno)
        }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(directory) else {
                // What a disk or a network withholds must not look like the end.
                guard errno == 0 else { throw failure(folder, errno) }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // A file system's own folder, which only root may read.
            guard BlobName(name) != nil, name != "lost+found" else { continue }
            var status = stat()
            guard fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                guard errno == ENOENT else { throw failure(folder + name, errno) }
                continue  // removed meanwhile
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: names.append(name + "/")
            case S_IFREG: names.append(name)
            default: break
            }
        }
    }

    private func failure(_ path: String, _ code: Int32) -> BlobError {
        BlobError(.unavailable, subject: "\(root)/\(path)", message: "cannot be read: \(String(cString: strerror(code)))")
    }
}
