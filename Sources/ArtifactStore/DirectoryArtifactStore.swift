import ContentHashing
package import ExportPlan
package import FoundationEssentials
import Glibc

/// Artifacts as files in a directory: `ab/abcdef...` and beside it `ab/abcdef....sum`, which contains size and sha256
/// and, where damage in sources was concealed, a second line with the warnings as JSON.
///
/// A file is written under a temporary name in `tmp/`, flushed and then renamed, its sum file last, and the folder is
/// flushed. A reader sees the whole artifact or none, also after a power failure. Temporary names contain the writer's
/// process id and host. When the store is opened, the temporary files of this host's dead processes are removed.
/// Several hosts may share a directory.
package struct DirectoryArtifactStore: ArtifactStore {
    package let directory: String
    private let files: DurableFiles

    /// Opens the store, creating the directory where needed.
    /// - Throws: `ArtifactError` when it cannot be created or written.
    package init(directory: String) throws {
        try self.init(directory: directory, files: DurableFiles())
    }

    package init(directory: String, files: DurableFiles) throws {
        self.directory = directory
        self.files = files
        do {
            try FileManager.default.createDirectory(atPath: directory + "/tmp", withIntermediateDirectories: true)
        } catch {
            throw ArtifactError(.cannotWrite, subject: directory, message: "cannot be created or written")
        }
        removeLeftovers()
    }

    package func localFile(for key: ArtifactKey) throws -> String? { try localFile(for: key, progress: {}) }

    /// As `localFile(for:)`.
    /// - Parameter progress: called after each megabyte that was read.
    package func localFile(for key: ArtifactKey, progress: () -> Void) throws -> String? {
        let path = path(of: key)
        StoredFiles.noteUse(of: path)
        guard let recorded = try record(of: key) else { return nil }
        let file = open(path, DirectoryArtifactStore.reading)
        guard file >= 0 else {
            guard [ENOENT, ENOTDIR, ELOOP, ENXIO].contains(errno) else { throw readError(path, errno) }
            drop(path, ifStill: nil)
            return nil
        }
        defer { close(file) }
        guard DirectoryArtifactStore.size(ofRegular: file) != nil else {
            drop(path, ifStill: file)
            return nil
        }
        let found: (hash: String, byteCount: Int)
        do throws(ContentHash.ReadError) {
            found = try ContentHash.ofDescriptor(file, progress: { _ in progress() })
        } catch {
            throw ArtifactError(.cannotRead, subject: path, message: "cannot be read: \(error.reason)")
        }
        guard recorded.sum == DirectoryArtifactStore.sum(found) else {
            drop(path, ifStill: file)
            return nil
        }
        return path
    }

    /// Whether an artifact has been put under the key, without reading it.
    /// - Throws: `ArtifactError` `cannotRead`.
    package func has(_ key: ArtifactKey) throws -> Bool {
        guard try record(of: key) != nil else { return false }
        var status = stat()
        if lstat(path(of: key), &status) == 0 { return status.st_mode & S_IFMT == S_IFREG }
        guard errno == ENOENT || errno == ENOTDIR else { throw readError(path(of: key), errno) }
        return false
    }

    /// The sha256 and the size in bytes that were recorded when an artifact was put. Its bytes are not read.
    /// - Returns: nil where there is no artifact, or a file of another size.
    /// - Throws: `ArtifactError` `cannotRead`.
    package func recordedSum(of key: ArtifactKey) throws -> (hash: String, byteCount: Int64)? {
        guard let record = try record(of: key), let hash = record.hash, let byteCount = record.byteCount else { return nil }
        var status = stat()
        guard lstat(path(of: key), &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw readError(path(of: key), errno) }
            return nil
        }
        let isWhole = status.st_mode & S_IFMT == S_IFREG && Int64(status.st_size) == byteCount
        return isWhole ? (hash: hash, byteCount: byteCount) : nil
    }

    /// The size of an artifact in bytes, as the file system has it; nil where there is none.
    package func byteCount(of key: ArtifactKey) -> Int64? {
        var status = stat()
        return stat(path(of: key), &status) == 0 ? Int64(status.st_size) : nil
    }

    package func discard(_ key: ArtifactKey) { drop(path(of: key), ifStill: nil) }

    package func warnings(of key: ArtifactKey) throws -> [SourceWarning] {
        try record(of: key)?.warnings ?? []
    }

    package func dateStored(_ key: ArtifactKey) throws -> Date? {
        guard let path = try localFile(for: key) else { return nil }
        return try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date  // removed meanwhile
    }

    package func put(_ file: String, for key: ArtifactKey, warnings: [SourceWarning]) throws {
        let path = path(of: key)
        let folder = "\(directory)/\(key.text.prefix(2))"
        let sumFile = file + ".sum"
        do {
            try files.makeFolder(folder)
            try files.sync(file)
            try write(try record(ofFile: file, warnings), to: sumFile)
            guard rename(file, path) == 0 else { throw writeError(path, errno) }
            try files.move(sumFile, to: path + ".sum")
        } catch {
            unlink(file)
            unlink(sumFile)
            if let failure = error as? DurableFiles.Failure { throw writeError(failure.path, failure.code) }
            throw error
        }
    }

    /// An artifact is a regular file. A link in its place is not followed, and a pipe or a device is opened without
    /// waiting and then refused.
    private static let reading = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

    /// - Returns: the size in bytes; nil when the descriptor is not of a regular file.
    private static func size(ofRegular file: Int32) -> Int? {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    package func temporaryFile(for key: ArtifactKey) throws -> String {
        "\(directory)/tmp/\(ScratchFile.name(String(key.text.prefix(16))))"
    }

    private func path(of key: ArtifactKey) -> String { "\(directory)/\(key.text.prefix(2))/\(key.text)" }

    // MARK: Checksums

    /// The sum file's content.
    /// - Returns: nil when there is no sum file, because the artifact does not exist or is not yet complete.
    private func record(of key: ArtifactKey) throws -> ArtifactRecord? {
        let path = path(of: key) + ".sum"
        let file = open(path, DirectoryArtifactStore.reading)
        guard file >= 0 else {
            guard [ENOENT, ENOTDIR, ELOOP, ENXIO].contains(errno) else { throw readError(path, errno) }
            return nil
        }
        defer { close(file) }
        guard let size = DirectoryArtifactStore.size(ofRegular: file) else { return nil }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw readError(path, errno) }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        // The storage has lost bytes, which says nothing about the artifact.
        guard bytes.count >= size else { throw readError(path, EIO) }
        return ArtifactRecord(text: String(decoding: bytes, as: UTF8.self))
    }

    private func record(ofFile path: String, _ warnings: [SourceWarning]) throws -> String {
        let text: String
        do throws(ContentHash.ReadError) {
            text = DirectoryArtifactStore.sum(try ContentHash.ofFile(path)) + "\n"
        } catch {
            throw ArtifactError(.cannotRead, subject: path, message: "cannot be read: \(error.reason)")
        }
        guard !warnings.isEmpty else { return text }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return text + String(decoding: try encoder.encode(warnings.distinct), as: UTF8.self) + "\n"
    }

    private static func sum(_ found: (hash: String, byteCount: Int)) -> String { "\(found.byteCount) \(found.hash)" }

    /// Removes an artifact whose bytes are not those that were stored.
    /// - Parameter file: the descriptor that the bytes were read from; a file that another process has put there since
    ///   then is kept.
    private func drop(_ path: String, ifStill file: Int32?) {
        if let file {
            var read = stat()
            var there = stat()
            guard fstat(file, &read) == 0, stat(path, &there) == 0, read.st_ino == there.st_ino, read.st_dev == there.st_dev
            else { return }
            unlink(path)
        }
        unlink(path + ".sum")
    }

    // MARK: Writing

    private func write(_ text: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw writeError(path, errno) }
        defer { close(file) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { posixWrite(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw writeError(path, errno) }
            rest = rest.dropFirst(count)
        }
        guard fdatasync(file) == 0 else { throw writeError(path, errno) }
    }

    private func readError(_ path: String, _ code: Int32) -> ArtifactError {
        ArtifactError(.cannotRead, subject: path, message: "cannot be read: \(String(cString: strerror(code)))")
    }

    private func writeError(_ path: String, _ code: Int32) -> ArtifactError {
        ArtifactError(.cannotWrite, subject: path, message: "cannot be written: \(String(cString: strerror(code)))")
    }

    package func removeLeftovers() {
        ScratchFile.removeLeftovers(in: directory + "/tmp")
        ScratchFile.removeLeftoverFolders(in: directory + "/tmp")
    }
}

/// The system's `write`, which a method of the same name shadows above.
private func posixWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
