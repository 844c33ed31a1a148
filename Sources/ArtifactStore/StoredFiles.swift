import ExportPlan
package import FoundationEssentials
import Glibc

/// The files of a directory of artifacts or assets, for those who remove what is not needed: `ab/abcdef...`, and beside
/// an artifact `ab/abcdef....sum`.
///
/// Nothing but regular files with such names is ever removed. Folders are opened without following links, so that a
/// link in the place of a folder leads nowhere, and everything else that is found is counted and left alone.
package struct StoredFiles: Sendable {
    /// A stored file and its checksum together.
    package struct File: Hashable, Sendable {
        /// 64 hexadecimal digits.
        package var name: String
        /// The bytes of both.
        package var byteCount: Int64
        package var storedAt: Date
        /// When it was last looked up or read, as far as the file system knows; not before it was stored.
        package var usedAt: Date
    }

    package struct Listing: Sendable {
        package var files: [File] = []
        /// How many entries are no stored files.
        package var foreignCount = 0
    }

    /// The directory with the folders.
    package let directory: String
    /// A directory of the same file system for files on their way out. Its leftovers are removed by `ScratchFile`.
    private let scratch: String

    package init(directory: String, scratch: String) {
        self.directory = directory
        self.scratch = scratch
    }

    /// The files of a tenant's artifacts.
    package static func artifacts(in store: String) -> StoredFiles {
        StoredFiles(directory: store, scratch: store + "/tmp")
    }

    /// A lookup within this time before a removal stops it. Clocks of machines may differ by a part of it.
    package static let recently = 3600.0

    // MARK: Listing

    /// All files.
    /// - Returns: no files where the directory does not exist.
    /// - Throws: `ArtifactError` `cannotRead` where it exists and cannot be read.
    package func list() throws -> Listing {
        var listing = Listing()
        let root = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard root >= 0 else {
            guard errno == ENOENT else { throw failure(directory, errno) }
            return listing
        }
        defer { close(root) }
        for name in try names(in: root, directory).sorted() {
            guard StoredFiles.isHexadecimal(name, 2) else {
                if !["tmp", "facts", "plugins", "costs"].contains(name), !name.hasPrefix(".") { listing.foreignCount += 1 }
                continue
            }
            let folder = openat(root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard folder >= 0 else {
                guard [ENOTDIR, ELOOP, ENOENT].contains(errno) else { throw failure("\(directory)/\(name)", errno) }
                listing.foreignCount += 1
                continue
            }
            defer { close(folder) }
            try list(folder, name, &listing)
        }
        return listing
    }

    private func list(_ folder: Int32, _ prefix: String, _ listing: inout Listing) throws {
        var found: [String: File] = [:]
        for entry in try names(in: folder, "\(directory)/\(prefix)") {
            let end = StoreNames.ends.first { entry.hasSuffix($0) }
            let name = String(entry.dropLast(end?.count ?? 0))
            var status = stat()
            guard StoredFiles.isHexadecimal(name, 64), name.hasPrefix(prefix) else {
                listing.foreignCount += 1
                continue
            }
            guard fstatat(folder, entry, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                guard errno == ENOENT else { throw failure("\(directory)/\(prefix)/\(entry)", errno) }
                continue
            }
            guard status.st_mode & S_IFMT == S_IFREG else {
                listing.foreignCount += 1
                continue
            }
            let (stored, used) = (Date(status.st_mtim), max(Date(status.st_atim), Date(status.st_mtim)))
            var file = found[name] ?? File(name: name, byteCount: 0, storedAt: stored, usedAt: used)
            file.byteCount += Int64(status.st_size)
            file.storedAt = max(file.storedAt, stored)
            // Lookups are noted at the file, and the checksum may be read by a backup.
            if end == nil { file.usedAt = used }
            found[name] = file
        }
        listing.files += found.values.sorted { $0.name < $1.name }
    }

    private func names(in descriptor: Int32, _ path: String) throws -> [String] {
        let copy = dup(descriptor)
        guard copy >= 0, let stream = fdopendir(copy) else {
            let code = errno
            if copy >= 0 { close(copy) }
            throw failure(path, code)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw failure(path, errno) }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// Whether a text is the name of a stored file.
    static func isName(_ name: String) -> Bool { isHexadecimal(name, 64) }

    private static func isHexadecimal(_ name: String, _ count: Int) -> Bool {
        name.utf8.count == count
            && name.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (97...102).contains($0) }
    }

    // MARK: Removing

    /// Notes that a file is looked up. A process that relies on a file calls this before looking for it: a removal that has not
    /// begun by then does not happen.
    package static func noteUse(of path: String) {
        var times = [timespec(tv_sec: 0, tv_nsec: now), timespec(tv_sec: 0, tv_nsec: unchanged)]
        // Only the owner may do so; for others the file system notes the reading itself, though less often.
        _ = utimensat(AT_FDCWD, path, &times, AT_SYMLINK_NOFOLLOW)
    }

    /// As `noteUse`.
    /// - Returns: whether the file is there, and its use is noted.
    static func notesUse(of path: String) -> Bool {
        var times = [timespec(tv_sec: 0, tv_nsec: now), timespec(tv_sec: 0, tv_nsec: unchanged)]
        return utimensat(AT_FDCWD, path, &times, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// `UTIME_NOW` and `UTIME_OMIT`, which Swift does not import.
    private static let (now, unchanged) = ((1 << 30) - 1, (1 << 30) - 2)

    /// What became of a file that was to be removed.
    package enum Removal: Hashable, Sendable {
        case removed
        /// It was looked up just now, and is back in its place.
        case inUse
        /// The system refused; the file is where it was, or in the directory for files on their way out.
        case failed(String)
    }

    /// Removes a file and its checksum, unless it was looked up within the last hour. A file that is not there counts as
    /// removed.
    ///
    /// The file first moves aside, and then it is seen whether it was looked up meanwhile. A lookup before the move stops
    /// the removal; one after it finds nothing. Without its checksum a file counts as not there, so that a process that is
    /// killed in between leaves no half of an artifact.
    /// - Parameter isAlone: whether the caller knows that nobody else uses the directory; then a lookup stops nothing.
    package func remove(_ name: String, isAlone: Bool = false) -> Removal {
        guard StoredFiles.isHexadecimal(name, 64) else { return .failed("'\(name)' is not the name of a stored file") }
        let folder = open("\(directory)/\(name.prefix(2))", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return errno == ENOENT ? .removed : .failed(reason(name, errno)) }
        defer { close(folder) }
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { return .failed(reason(name, errno)) }
            return removeSum(name, folder)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return .failed("'\(directory)/\(name)' is not a regular file") }
        guard isAlone || !isRecent(status) else { return .inUse }
        let aside = "\(scratch)/\(ScratchFile.name(String(name.prefix(16))))"
        guard renameat(folder, name, AT_FDCWD, aside) == 0 else {
            return errno == ENOENT ? removeSum(name, folder) : .failed(reason(name, errno))
        }
        guard fstatat(AT_FDCWD, aside, &status, AT_SYMLINK_NOFOLLOW) == 0, isAlone || !isRecent(status) else {
            // Where another process has put the file anew, that one stays.
            _ = linkat(AT_FDCWD, aside, folder, name, 0)
            unlink(aside)
            return .inUse
        }
        let sum = removeSum(name, folder)
        guard unlink(aside) == 0 || errno == ENOENT else { return .failed(reason(name, errno)) }
        return sum
    }

    /// Removes the longest unused files with their checksums until the others have at most so many bytes. The caller
    /// knows that nobody else uses the directory, so that also what was used just now may go.
    ///
    /// A file that cannot be removed stays, and others go instead. When the task is cancelled, no more files go.
    /// - Parameter limit: bytes of files and checksums, at least 0.
    /// - Returns: the bytes that were removed.
    /// - Throws: `ArtifactError` `cannotRead` where the directory exists and cannot be read.
    package func reduce(to limit: Int64) throws -> Int64 {
        let files = try list().files
        var excess = files.reduce(0) { $0 + $1.byteCount } - limit
        var removed: Int64 = 0
        for file in files.sorted(by: { ($0.usedAt, $0.name) < ($1.usedAt, $1.name) }) {
            guard excess > 0, !Task.isCancelled else { break }
            guard remove(file.name, isAlone: true) == .removed else { continue }
            excess -= file.byteCount
            removed += file.byteCount
        }
        return removed
    }

    /// Removes the checksum, and the note of a film that a bucket has beside some artifacts.
    private func removeSum(_ name: String, _ folder: Int32) -> Removal {
        for end in StoreNames.ends where unlinkat(folder, name + end, 0) != 0 && errno != ENOENT {
            return .failed(reason(name, errno))
        }
        return .removed
    }

    private func isRecent(_ status: stat) -> Bool {
        max(Date(status.st_atim), Date(status.st_mtim)).timeIntervalSinceNow > -StoredFiles.recently
    }

    private func reason(_ name: String, _ code: Int32) -> String {
        "'\(directory)/\(name.prefix(2))/\(name)' cannot be removed: \(String(cString: strerror(code)))"
    }

    private func failure(_ path: String, _ code: Int32) -> ArtifactError {
        ArtifactError(.cannotRead, subject: path, message: "cannot be read: \(String(cString: strerror(code)))")
    }
}

extension Date {
    init(_ time: timespec) { self.init(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9) }
}
