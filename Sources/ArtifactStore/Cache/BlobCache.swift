import BlockingWork
import ContentHashing
import ExportPlan
import FoundationEssentials
import Glibc

/// Copies of a store's blobs on this machine, which all its processes share, with a limit on their bytes.
///
/// The directory has the layout of the store: the copy of a blob is the file of its name. So what reads a farm's directory
/// reads the cache, too. A blob is fetched once, whichever tasks and processes ask for it at the same time, and appears
/// whole or not at all. Files that are in use stay; of all others the longest unused ones go when there are more bytes than
/// the limit.
package struct BlobCache: Sendable {
    private let blobs: any BlobStore
    private let directory: String
    private let limit: Int64
    private let grace: Duration
    private let fetches = Fetches()
    /// The disk may make a call wait, and files of one blob delay no others.
    private let pool = BlockingPool(name: "cache", threads: 2, waiting: 4096, waitingPerLane: 4096)

    /// The names of the cache's own folders: files that are being fetched, and locks.
    private static let (incoming, locks) = (".incoming", ".locks")

    /// Files that were used within this time stay also while nobody uses them: a process may be about to.
    package static let grace = Duration.seconds(60)

    /// - Parameters:
    ///   - blobs: where the blobs are fetched from.
    ///   - directory: a directory of a local disk; it is made where it is missing.
    ///   - limit: bytes of all files together, at least 0. What jobs use at a time may exceed it.
    ///   - grace: for how long a file stays after its last use.
    /// - Throws: `BlobError` `cannotWrite`.
    package init(_ blobs: any BlobStore, directory: String, limit: Int64, grace: Duration = BlobCache.grace) throws {
        self.blobs = blobs
        self.directory = directory
        self.limit = limit
        self.grace = grace
        for folder in [BlobCache.incoming, BlobCache.locks] {
            do {
                try DurableFiles().makeFolder("\(directory)/\(folder)")
            } catch {
                throw BlobError(.cannotWrite, subject: error.path, message: "cannot be made: \(error.reason)")
            }
        }
        ScratchFile.removeLeftovers(in: "\(directory)/\(BlobCache.incoming)")
    }

    /// The file of a blob, which may or may not be there.
    package func path(of name: BlobName) -> String { "\(directory)/\(name.text)" }

    /// The file of a blob that is in the cache.
    /// - Returns: nil where it is not.
    package func present(_ name: BlobName) async throws -> CachedFile? {
        let path = path(of: name)
        return try await pool.run(lane: 0) { try CachedFile.opened(path) }
    }

    /// The file of a blob, which is fetched where it is not in the cache.
    /// - Parameter sha256: the hash that fetched bytes must have; nil where it is not known. Bytes that were fetched before
    ///   are not compared.
    /// - Returns: nil where the store has no such blob.
    ///
    /// A caller that is cancelled waits all the same, because others may need the blob.
    /// - Throws: what the store throws.
    package func file(_ name: BlobName, sha256: String? = nil) async throws -> CachedFile? {
        if let file = try await present(name) { return file }
        return try await fetches.once(name) { try await fetch(name, sha256) }
    }

    /// Removes the longest unused files until the others are within the limit. `file` does this by itself.
    /// - Returns: the bytes that were removed.
    @discardableResult
    package func reduce() async throws -> Int64 { try await reduce(to: limit, grace) }

    /// Removes everything that is not in use, because the disk is full.
    /// - Returns: the bytes that were removed.
    @discardableResult
    package func makeRoom() async throws -> Int64 { try await reduce(to: 0, min(grace, .seconds(5))) }

    /// Counts files that this machine has made, and removes others where there are more than the limit now.
    package func noteMade(_ byteCount: Int64) async throws {
        if await fetches.isAbove(limit, adding: byteCount) { try await reduce() }
    }

    /// Removes a copy, which is fetched again when it is needed.
    package func discard(_ name: BlobName) { unlink(path(of: name)) }

    private func reduce(to limit: Int64, _ grace: Duration) async throws -> Int64 {
        guard let lock = try await pool.run(lane: 1, { try FileLock.taken(path(ofLock: "reduce")) }) else { return 0 }
        let files = CachedFiles(directory: directory)
        let result = try await pool.run(lane: 1) { try files.reduce(to: limit, grace: grace) }
        await fetches.note(left: result.left)
        withExtendedLifetime(lock) {}
        return result.removed
    }

    /// - Returns: nil where the store has no such blob.
    private func fetch(_ name: BlobName, _ sha256: String?) async throws -> CachedFile? {
        // Other processes may fetch the same blob. A lock stands for many blobs, so that there are few files of locks.
        let lock = try await lock("\(ContentHash.of(name.text.utf8).prefix(2))")
        defer { withExtendedLifetime(lock) {} }
        if let file = try await present(name) { return file }
        let temporary = "\(directory)/\(BlobCache.incoming)/\(ScratchFile.name())"
        let info: BlobInfo?
        do {
            info = try await blobs.download(name, to: temporary, sha256: sha256)
        } catch let error as BlobError where error.code == .cannotWrite {
            // The disk may be full, and what is not in use only takes room.
            guard try await makeRoom() > 0 else { throw error }
            info = try await blobs.download(name, to: temporary, sha256: sha256)
        }
        guard let info else { return nil }
        let path = path(of: name)
        let file = try await pool.run(lane: 0) { try BlobCache.place(temporary, at: path) }
        if await fetches.isAbove(limit, adding: info.byteCount) { try await reduce() }
        return file
    }

    /// Gives a fetched file its place. Its use begins before, so that nobody removes it.
    private static func place(_ temporary: String, at path: String) throws(BlobError) -> CachedFile {
        func failure(_ path: String, _ reason: String) -> BlobError {
            unlink(temporary)
            return BlobError(.cannotWrite, subject: path, message: "cannot be written: \(reason)")
        }
        guard let file = try CachedFile.opened(temporary, as: path) else { throw failure(temporary, "it is gone") }
        do {
            try DurableFiles().makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
            try DurableFiles().move(temporary, to: path)
            return file
        } catch {
            throw failure(error.path, error.reason)
        }
    }

    private func path(ofLock name: String) -> String { "\(directory)/\(BlobCache.locks)/\(name)" }

    /// - Returns: nil where others have had the lock for a long time: they fetch something large, or were stopped. A blob
    ///   that is fetched twice does no harm.
    private func lock(_ name: String) async throws -> FileLock? {
        let deadline = ContinuousClock.now + BlobCache.lockTimeout
        while ContinuousClock.now < deadline {
            if let lock = try await pool.run(lane: 1, { try FileLock.taken(path(ofLock: name)) }) { return lock }
            try await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }

    private static let lockTimeout = Duration.seconds(30)
}

/// The fetches of this process that are under way, and how full the cache is.
private actor Fetches {
    private var running: [BlobName: Task<CachedFile?, any Error>] = [:]
    /// The bytes of all files when they were last counted, and of those that were fetched since; nil before the first count.
    private var byteCount: Int64?

    /// Runs `body` for the first of those who ask at the same time, and gives its result to all of them. It goes on when some
    /// of them are cancelled.
    func once(_ name: BlobName, _ body: @escaping @Sendable () async throws -> CachedFile?) async throws -> CachedFile? {
        let task =
            running[name]
            ?? Task {
                defer { running[name] = nil }
                return try await body()
            }
        running[name] = task
        return try await task.value
    }

    func note(left: Int64) { byteCount = left }

    /// Counts a new file.
    /// - Returns: whether there may be more bytes than the limit; the files of other processes are counted now and then.
    func isAbove(_ limit: Int64, adding added: Int64) -> Bool {
        guard let known = byteCount else { return true }
        byteCount = known + added
        return known + added > limit
    }
}

/// A lock that one process of the machine, or one of its tasks, has at a time. The system releases it when the process ends.
private final class FileLock: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// - Returns: nil where another has the lock.
    /// - Throws: `BlobError` `cannotWrite` where there can be no lock.
    static func taken(_ path: String) throws(BlobError) -> FileLock? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw BlobError(.cannotWrite, subject: path, message: "cannot be opened: \(String(cString: strerror(errno)))")
        }
        let lock = FileLock(descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return lock }
        guard errno == EAGAIN || errno == EINTR else {
            throw BlobError(.cannotWrite, subject: path, message: "cannot be locked: \(String(cString: strerror(errno)))")
        }
        return nil
    }

    deinit { close(descriptor) }
}
