import BlockingWork
import ExportPlan
import FoundationEssentials
import Glibc

/// Blobs as files of a directory that all machines share: the name is the path within it.
///
/// A file is written under a temporary name in `.spool-uploads`, flushed and renamed. Nothing but regular files is a
/// blob; links in the place of files are not followed. Where the store's marker file is missing, the directory is the
/// empty place of a file system that is away: an error of the store, and never the answer that a blob is missing.
package struct DirectoryBlobs: BlobStore {
    private let directory: FarmDirectory
    private let files: DurableFiles
    /// Storage may make a call wait for long, and slow files must delay no others.
    private let pool: BlockingPool

    /// - Parameters:
    ///   - directory: one in which `StoreMarker.create` has been called.
    ///   - waiting: calls that may wait for a thread; more are refused.
    package init(_ directory: FarmDirectory, files: DurableFiles = DurableFiles(), waiting: Int = 4096) {
        self.directory = directory
        self.files = files
        pool = BlockingPool(name: "blobs", threads: 8, waiting: waiting, waitingPerLane: waiting)
    }

    private var root: String { directory.root }

    private func path(of name: BlobName) -> String { "\(root)/\(name.text)" }

    private var uploads: String { "\(root)/\(BlobName.uploads)" }

    /// Runs what may wait for the storage. Calls about other names have other lanes.
    private func waiting<Result: Sendable>(
        _ name: BlobName? = nil, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        do {
            return try await pool.run(lane: Int64(name?.hashValue ?? 0) & 15, body)
        } catch is BlockingPool.Full {
            throw BlobError(.unavailable, subject: root, message: "cannot be used now: too many calls wait for it")
        }
    }

    // MARK: Reading

    package func info(of name: BlobName) async throws -> BlobInfo? {
        try await waiting(name) { [self] in
            var status = stat()
            if lstat(path(of: name), &status) == 0 {
                if let info = BlobInfo(status) { return info }
            } else if !DirectoryBlobs.absent.contains(errno) {
                throw failure(name, errno)
            }
            try checkRoot()
            return nil
        }
    }

    /// The errors of a path that has no file.
    private static let absent: Set<Int32> = [ENOENT, ENOTDIR, ELOOP]

    /// - Throws: `BlobError` `noStore`.
    private func checkRoot() throws {
        do {
            try directory.marker.check()
        } catch let error as ArtifactError {
            throw BlobError(.noStore, subject: error.subject, message: error.message)
        }
    }

    package func read(_ name: BlobName, range: Range<Int64>?) async throws -> BlobReader? {
        guard let file = try await waiting(name, { [self] in try open(name) }) else { return nil }
        let start = min(range?.lowerBound ?? 0, file.info.byteCount)
        let position = ReadPosition(start, end: max(start, min(range?.upperBound ?? .max, file.info.byteCount)))
        return BlobReader(file.info) {
            guard let wanted = await position.next() else { return nil }
            return try await waiting(name) { try file.read(wanted) }
        }
    }

    private func open(_ name: BlobName) throws -> OpenBlob? {
        let path = path(of: name)
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard DirectoryBlobs.absent.contains(errno) || errno == ENXIO else { throw failure(name, errno) }
            try checkRoot()
            return nil
        }
        var status = stat()
        let code = fstat(descriptor, &status) == 0 ? 0 : errno
        guard code == 0, let info = BlobInfo(status) else {
            close(descriptor)
            guard code == 0 else { throw failure(name, code) }
            return nil
        }
        return OpenBlob(path: path, descriptor: descriptor, info: info)
    }

    package func download(_ name: BlobName, to path: String, sha256: String?) async throws -> BlobInfo? {
        guard let source = try await waiting(name, { [self] in try open(name) }) else { return nil }
        let file = try LocalFile(creating: path)
        do {
            for attempt in 1...2 {
                try await file.restart()
                var position: Int64 = 0
                while position < source.info.byteCount {
                    try Task.checkCancellation()
                    let range = position..<min(position + (1 << 20), source.info.byteCount)
                    try await file.write(try await waiting(name) { try source.read(range) })
                    position = range.upperBound
                }
                let hash = try await file.finish()
                guard let sha256, sha256 != hash else { return source.info }
                guard attempt == 1 else { break }
            }
        } catch {
            await file.remove()
            throw error
        }
        await file.remove()
        throw BlobError(.damaged, subject: source.path, message: "is damaged: its bytes have not the checksum \(sha256 ?? "")")
    }

    // MARK: Writing

    package func upload(_ path: String, as name: BlobName, _ options: UploadOptions) async throws -> Bool {
        let upload = DirectoryUpload(self, name, options)
        do {
            let source = try await waiting(name) { try OpenBlob(file: path) }
            var position: Int64 = 0
            while position < source.info.byteCount {
                let range = position..<min(position + (1 << 20), source.info.byteCount)
                let bytes = try await waiting(name) { try source.read(range) }
                try await upload.write(bytes)
                position += Int64(bytes.count)
            }
            return try await upload.finish()
        } catch {
            await upload.abandon()
            throw error
        }
    }

    package func beginUpload(as name: BlobName, _ options: UploadOptions) async throws -> any BlobUpload {
        DirectoryUpload(self, name, options)
    }

    /// A new file for an upload.
    func temporaryFile() throws -> CheckedFile {
        try checkRoot()
        do {
            try files.makeFolder(uploads)
        } catch {
            throw refusal(error.path, error.code)
        }
        return try CheckedFile(creating: "\(uploads)/\(ScratchFile.name())")
    }

    /// Gives a complete file the name of a blob.
    /// - Returns: false where there is a blob of this name that is not to be replaced.
    func place(_ file: String, as name: BlobName, replaces: Bool) throws -> Bool {
        let path = path(of: name)
        let folder = "\(root)/\(name.folder)"
        // The root must not be made again where a file system has gone away.
        try checkRoot()
        do {
            try files.makeFolder(String(decoding: folder.utf8.dropLast(), as: UTF8.self))
            if replaces {
                try files.move(file, to: path)
                return true
            }
            if link(file, path) != 0 {
                guard errno == EEXIST else { throw DurableFiles.Failure(path, errno) }
                // On a network file system this may be the answer to a repeated request, and the file is this one.
                var (own, there) = (stat(), stat())
                guard lstat(file, &own) == 0, lstat(path, &there) == 0, own.st_ino == there.st_ino, own.st_dev == there.st_dev
                else { return false }
            }
            try files.sync(folder)
            return true
        } catch let error as DurableFiles.Failure {
            throw refusal(error.path, error.code)
        }
    }

    package func copy(_ name: BlobName, to other: BlobName) async throws -> Bool {
        guard try await info(of: name) != nil else { return false }
        return try await upload(path(of: name), as: other, UploadOptions())
    }

    package func remove(_ names: [BlobName]) async throws {
        try await waiting { [self] in
            for name in names {
                guard unlink(path(of: name)) == 0 || DirectoryBlobs.absent.contains(errno) else { throw failure(name, errno) }
            }
            try checkRoot()
        }
    }

    package func removeLeftovers(olderThan age: Duration) async throws -> Int {
        try await waiting { [self] in
            try checkRoot()
            var count = 0
            let names = (try? FileManager.default.contentsOfDirectory(atPath: uploads)) ?? []  // nothing was uploaded yet
            for name in names {
                var status = stat()
                guard lstat("\(uploads)/\(name)", &status) == 0, let info = BlobInfo(status),
                    -info.storedAt.timeIntervalSinceNow >= age / .seconds(1), unlink("\(uploads)/\(name)") == 0
                else { continue }
                count += 1
            }
            return count
        }
    }

    package func address(of request: BlobRequest, lifetime: Duration) async throws -> String? { nil }

    // MARK: Lists

    package func list(_ prefix: String, after: BlobName?, limit: Int) async throws -> [BlobListing] {
        try await waiting { [self] in
            try checkRoot()
            var listing = DirectoryListing(root: root, prefix: prefix, after: after, limit: min(max(limit, 1), 1000))
            try listing.add(folder: "")
            return listing.found
        }
    }

    // MARK: Errors

    private func failure(_ name: BlobName, _ code: Int32) -> BlobError { refusal(path(of: name), code) }

    private func refusal(_ path: String, _ code: Int32) -> BlobError {
        BlobError(
            code == EACCES || code == EPERM || code == EROFS ? .denied : .unavailable, subject: path,
            message: "cannot be used: \(String(cString: strerror(code)))")
    }
}

extension BlobInfo {
    /// - Returns: nil where the status is not of a regular file.
    init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        let time = status.st_mtim
        self.init(
            byteCount: Int64(status.st_size), version: "\(status.st_size)-\(time.tv_sec).\(time.tv_nsec)-\(status.st_ino)",
            storedAt: Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9))
    }
}

/// How far a reader has come.
private actor ReadPosition {
    private var position: Int64
    private let end: Int64

    init(_ position: Int64, end: Int64) {
        self.position = position
        self.end = end
    }

    /// The next offsets to read; nil at the end.
    func next() -> Range<Int64>? {
        guard position < end else { return nil }
        let range = position..<min(position + (256 << 10), end)
        position = range.upperBound
        return range
    }
}

/// An open file, which stays as it is when another takes its name.
private final class OpenBlob: Sendable {
    let path: String
    let info: BlobInfo
    private let descriptor: Int32

    init(path: String, descriptor: Int32, info: BlobInfo) {
        self.path = path
        self.descriptor = descriptor
        self.info = info
    }

    /// Opens a file of this machine; links are followed.
    /// - Throws: `BlobError` `cannotRead`.
    convenience init(file path: String) throws(BlobError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, let info = BlobInfo(status) else {
            let reason = descriptor < 0 ? String(cString: strerror(errno)) : "it is no regular file"
            if descriptor >= 0 { close(descriptor) }
            throw BlobError(.cannotRead, subject: path, message: "cannot be read: \(reason)")
        }
        self.init(path: path, descriptor: descriptor, info: info)
    }

    deinit { close(descriptor) }

    /// The bytes between two offsets.
    func read(_ range: Range<Int64>) throws(BlobError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(range.upperBound - range.lowerBound))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done, off_t(range.lowerBound) + off_t(done)
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let reason = count == 0 ? "it has become shorter" : String(cString: strerror(errno))
                throw BlobError(.cannotRead, subject: path, message: "cannot be read: \(reason)")
            }
            done += count
        }
        return bytes
    }
}

/// An upload into a directory.
private actor DirectoryUpload: BlobUpload {
    private let thread = BlockingThread(name: "upload")
    private let store: DirectoryBlobs
    private let name: BlobName
    private let options: UploadOptions
    private var file: CheckedFile?
    private var isOver = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ store: DirectoryBlobs, _ name: BlobName, _ options: UploadOptions) {
        self.store = store
        self.name = name
        self.options = options
    }

    func write(_ bytes: [UInt8]) async throws {
        let file = try begun()
        try bytes.withUnsafeBytes { try file.write($0) }
    }

    private func begun() throws -> CheckedFile {
        guard !isOver else { throw BlobError(.refused, subject: "\(name)", message: "is written after its upload has ended") }
        if let file { return file }
        let new = try store.temporaryFile()
        file = new
        return new
    }

    func finish() async throws -> Bool {
        let file = try begun()
        defer {
            file.remove()
            isOver = true
        }
        _ = try file.finish()
        return try store.place(file.path, as: name, replaces: options.replaces)
    }

    func abandon() async {
        isOver = true
        file?.remove()
        file = nil
    }
}
