public import ArtifactStore
import BlockingWork
import ContentHashing
import Crypto
import ExportPlan
import NIOCore
package import OwnedFiles
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Assets as files of the farm's directory, uploads beside them until they are whole and verified.
///
/// Several coordinators may share it. What a process left that was killed is removed when the next one opens the directory.
public struct DirectoryAssets: AssetBlobs {
    private let directory: FarmDirectory
    private let scratch: String
    private let threads: UploadThreads
    private let lookup = AssetLookup()
    private let files: DurableFiles

    /// - Parameter threadCount: how many uploads are written at a time, 1 or more.
    /// - Throws: `AssetUploadError` when the directory cannot be created.
    public init(_ directory: FarmDirectory, threadCount: Int = 4) throws {
        try self.init(directory, threadCount: threadCount, files: DurableFiles())
    }

    package init(_ directory: FarmDirectory, threadCount: Int = 4, files: DurableFiles) throws {
        self.directory = directory
        self.files = files
        threads = UploadThreads(threadCount)
        scratch = directory.uploads
        do {
            try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        } catch {
            throw AssetUploadError(.cannotWrite, "'\(scratch)' cannot be created or written")
        }
        ScratchFile.removeLeftovers(in: scratch)
    }

    public func file(of hash: String, tenant: Int64) async throws -> String? {
        try await lookup.file(directory.asset(hash, ofTenant: tenant), in: directory.marker)
    }

    public func beginUpload(tenant: Int64) async throws -> any AssetUpload {
        try await FileUpload(
            temporary: "\(scratch)/\(ScratchFile.name())", folder: directory.assets(ofTenant: tenant),
            thread: threads.next(), files: files)
    }
}

/// Looks for assets on a thread of its own: a store that hangs holds none of those that answer requests.
private actor AssetLookup {
    private let thread = BlockingThread(name: "assets")

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Returns: the path; nil when the store is there and the file is not.
    /// - Throws: `ArtifactError` when the file or the store cannot be read: then nobody knows whether the asset is there.
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

/// The threads that all uploads write on, in turn: one that stalls holds a file, but no thread.
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

/// One upload into a file, on a thread that it shares with other uploads: disks may be slow.
actor FileUpload: AssetUpload {
    private let thread: BlockingThread
    private let temporary: String
    private let folder: String
    private let files: DurableFiles
    private let descriptor: Int32
    private var hash = SHA256()
    private var byteCount: Int64 = 0
    private var isOver = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - temporary: a path that nothing exists at.
    ///   - folder: the tenant's.
    ///   - thread: where its bytes are hashed and written.
    init(temporary: String, folder: String, thread: BlockingThread, files: DurableFiles) async throws {
        self.files = files
        self.thread = thread
        self.temporary = temporary
        self.folder = folder
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileUpload.failure() }
    }

    func write(_ bytes: ByteBuffer) throws { try bytes.withUnsafeReadableBytes { try write($0) } }

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
        hash.update(bufferPointer: bytes)
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
        let found = hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        if let expected, found != expected {
            throw AssetUploadError(.otherHash, "the \(byteCount) bytes sent have the sha256 \(found), not \(expected)")
        }
        guard fsync(descriptor) == 0 else { throw FileUpload.failure() }
        let place = "\(folder)/\(found.prefix(2))"
        do throws(DurableFiles.Failure) {
            // A running job may be reading the asset that another upload has brought: the file stays what it is, unless it is damaged.
            if (try? ContentHash.ofFile("\(place)/\(found)").hash) == found {
                // The upload that brought it may have ended before its name was on the disk.
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
        unlink(temporary)  // after a rename there is nothing of this name
    }

    private static func failure(_ code: Int32 = errno) -> AssetUploadError {
        AssetUploadError(.cannotWrite, "the farm's storage cannot be written: \(String(cString: strerror(code)))")
    }
}
