import BlockingWork
import ContentHashing
import ExportPlan
import Synchronization
import FoundationEssentials
import Glibc

/// Assets as files in the farm's directory. An upload is written beside them until it is complete and verified.
///
/// Several coordinators may share the directory. The unfinished uploads of a killed process are removed when the next
/// process opens the directory. While the store is away nothing is created in its place.
package struct DirectoryAssets: AssetBlobs {
    private let directory: FarmDirectory
    private let scratch: String
    private let threads: UploadThreads
    private let lookup = AssetLookup()
    private let files: DurableFiles

    /// - Parameter threadCount: how many uploads are written at the same time, 1 or more.
    /// - Throws: `AssetUploadError` when the directory cannot be created.
    package init(_ directory: FarmDirectory, threadCount: Int = 4) throws {
        try self.init(directory, threadCount: threadCount, files: DurableFiles())
    }

    package init(_ directory: FarmDirectory, threadCount: Int = 4, files: DurableFiles) throws {
        self.directory = directory
        self.files = files
        threads = UploadThreads(threadCount)
        scratch = directory.uploads
        guard (try? directory.marker.check()) != nil else { return }
        try makeScratch()
        ScratchFile.removeLeftovers(in: scratch)
    }

    private func makeScratch() throws {
        do {
            try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        } catch {
            throw AssetUploadError(.cannotWrite, "'\(scratch)' cannot be created or written")
        }
    }

    package func file(of hash: String, tenant: Int64) async throws -> String? {
        try await lookup.file(directory.asset(hash, ofTenant: tenant), in: directory.marker)
    }

    package func beginUpload(tenant: Int64) async throws -> any AssetUpload {
        // If the folder cannot be made, opening the file in it says why.
        try await lookup.prepare(directory.marker) { try? makeScratch() }
        return try await FileUpload(
            temporary: "\(scratch)/\(ScratchFile.name())", folder: directory.assets(ofTenant: tenant),
            thread: threads.next(), files: files)
    }
}

/// Looks for assets on its own thread, so that a store that hangs does not block the threads that answer requests.
private actor AssetLookup {
    private let thread = BlockingThread(name: "assets")

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Checks that the store is there, and makes what an upload needs.
    /// - Throws: `ArtifactError` when it is not.
    func prepare(_ marker: StoreMarker, _ make: @Sendable () -> Void) throws {
        try marker.check()
        make()
    }

    /// - Returns: the path; nil when the store can be reached and does not have the file.
    /// - Throws: `ArtifactError` when the file or the store cannot be read, so that it is unknown whether the asset
    ///   exists.
    func file(_ path: String, in marker: StoreMarker) throws -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            guard code == ENOENT || code == ENOTDIR else { throw AssetLookup.failure(path, code) }
            try marker.check()
            return nil
        }
        defer { close(descriptor) }
        var byte: UInt8 = 0
        guard read(descriptor, &byte, 1) >= 0 else { throw AssetLookup.failure(path, errno) }
        return path
    }

    private static func failure(_ path: String, _ code: Int32) -> ArtifactError {
        ArtifactError(.cannotRead, subject: path, message: "cannot be read: \(String(cString: strerror(code)))")
    }
}

/// The threads that write all uploads, assigned in turn. An upload that stalls keeps a file open but does not block a
/// thread.
private final class UploadThreads: Sendable {
    private let threads: [BlockingThread]
    private let turn = Mutex(0)

    init(_ count: Int) {
        threads = (0..<max(1, count)).map { BlockingThread(name: "upload-\($0)") }
    }

    func next() -> BlockingThread {
        threads[
            turn.withLock { turn in
                turn = (turn + 1) % threads.count
                return turn
            }]
    }
}

/// One upload into a file, on a thread that it shares with other uploads, because disks may be slow.
actor FileUpload: AssetUpload {
    private let thread: BlockingThread
    private let temporary: String
    private let folder: String
    private let files: DurableFiles
    private let descriptor: Int32
    private var hash = IncrementalHash()
    private var byteCount: Int64 = 0
    private var isOver = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - temporary: a path at which no file exists.
    ///   - folder: the tenant's folder.
    ///   - thread: the thread that hashes and writes the bytes.
    init(temporary: String, folder: String, thread: BlockingThread, files: DurableFiles) async throws {
        self.files = files
        self.thread = thread
        self.temporary = temporary
        self.folder = folder
        let opened = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        // Read `errno` first: after its last property is set, an actor may move to another thread, which has its own
        // errno.
        let code = errno
        descriptor = opened
        guard opened >= 0 else { throw FileUpload.failure(code) }
    }

    func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

    func write(file path: String) throws {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw FileUpload.failure() }
        defer { close(source) }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileUpload.failure() }
            guard count > 0 else { return }
            try buffer.withUnsafeBytes { try write(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws {
        hash.update(bytes)
        byteCount += Int64(bytes.count)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileUpload.failure() }
            rest = rest.dropFirst(count)
        }
    }

    func finish(as expected: String?) throws -> (hash: String, byteCount: Int64) {
        defer { abandon() }
        let found = hash.finish()
        if let expected, found != expected {
            throw AssetUploadError(.otherHash, "the \(byteCount) bytes sent have the sha256 \(found), not \(expected)")
        }
        guard fsync(descriptor) == 0 else { throw FileUpload.failure() }
        let place = "\(folder)/\(found.prefix(2))"
        do throws(DurableFiles.Failure) {
            // A running job may be reading the same asset from an earlier upload, so that file is replaced only if it
            // is damaged.
            if (try? ContentHash.ofFile("\(place)/\(found)").hash) == found, StoredFiles.notesUse(of: "\(place)/\(found)") {
                // The earlier upload may have been cut off before its name was on the disk.
                try files.sync(place)
                return (found, byteCount)
            }
            try files.makeFolder(place)
            try files.move(temporary, to: "\(place)/\(found)")
        } catch {
            throw FileUpload.failure(error.code)
        }
        return (found, byteCount)
    }

    func abandon() {
        guard !isOver else { return }
        isOver = true
        close(descriptor)
        unlink(temporary)  // after a rename this name no longer exists
    }

    private static func failure(_ code: Int32 = errno) -> AssetUploadError {
        AssetUploadError(.cannotWrite, "the farm's storage cannot be written: \(String(cString: strerror(code)))")
    }
}
