import BlockingWork
import ContentHashing
import Crypto
import NIOCore

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

/// Assets as files: `assets/<tenant>/<ab>/<sha256>`, uploads beneath `assets/tmp` until they are whole and verified.
///
/// Several coordinators may share the directory. Temporary names carry host and process, so that what a process left that
/// was killed is removed when the next one opens the directory.
public struct DirectoryAssets: AssetBlobs {
    private let directory: String

    /// - Throws: `AssetUploadError` when the directory cannot be created.
    public init(root: String) throws {
        directory = root + "/assets"
        do {
            try FileManager.default.createDirectory(atPath: directory + "/tmp", withIntermediateDirectories: true)
        } catch {
            throw AssetUploadError(.cannotWrite, "'\(directory)' cannot be created or written")
        }
        removeLeftovers()
    }

    public func file(of hash: String, tenant: Int64) async throws -> String? {
        let path = "\(directory)/\(tenant)/\(hash.prefix(2))/\(hash)"
        return access(path, R_OK) == 0 ? path : nil
    }

    public func beginUpload(tenant: Int64) async throws -> any AssetUpload {
        let name = "\(getpid())-\(DirectoryAssets.host)-\(UInt64.random(in: 0...UInt64.max))"
        return try await FileUpload(temporary: "\(directory)/tmp/\(name)", folder: "\(directory)/\(tenant)")
    }

    private func removeLeftovers() {
        let folder = directory + "/tmp"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {  // unreadable: nothing to tidy
            let parts = name.split(separator: "-")
            guard parts.count == 3, parts[1] == DirectoryAssets.host, let process = Int32(parts[0]) else { continue }
            if kill(process, 0) != 0, errno == ESRCH { unlink("\(folder)/\(name)") }
        }
    }

    /// This machine in a temporary name: process ids mean nothing on another one.
    private static let host: String = {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(ContentHash.of(name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))).prefix(8))
    }()
}

/// One upload into a file, on a thread of its own: disks may be slow.
actor FileUpload: AssetUpload {
    private let thread: BlockingThread
    private let temporary: String
    private let folder: String
    private let descriptor: Int32
    private var hash = SHA256()
    private var byteCount: Int64 = 0
    private var isOver = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - temporary: a path that nothing exists at.
    ///   - folder: the tenant's.
    init(temporary: String, folder: String) async throws {
        thread = BlockingThread(name: "asset-upload")
        self.temporary = temporary
        self.folder = folder
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileUpload.failure() }
    }

    func write(_ bytes: ByteBuffer) throws {
        try bytes.withUnsafeReadableBytes { bytes in
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
    }

    func finish(as expected: String) throws -> Int64 {
        defer { abandon() }
        let found = hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        guard found == expected else {
            throw AssetUploadError(.otherHash, "the \(byteCount) bytes sent have the sha256 \(found), not \(expected)")
        }
        guard fsync(descriptor) == 0 else { throw FileUpload.failure() }
        let place = "\(folder)/\(expected.prefix(2))"
        do {
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        } catch {
            throw AssetUploadError(.cannotWrite, "the farm's storage cannot be written")
        }
        guard rename(temporary, "\(place)/\(expected)") == 0 else { throw FileUpload.failure() }
        return byteCount
    }

    func abandon() {
        guard !isOver else { return }
        isOver = true
        close(descriptor)
        unlink(temporary)  // after a rename there is nothing of this name
    }

    private static func failure() -> AssetUploadError {
        AssetUploadError(.cannotWrite, "the farm's storage cannot be written: \(String(cString: strerror(errno)))")
    }
}
