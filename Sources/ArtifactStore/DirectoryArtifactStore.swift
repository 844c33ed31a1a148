import ContentHashing
public import ExportPlan
import OwnedFiles

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Artifacts as files in a directory: `ab/abcdef...` with `ab/abcdef....sum` (size and sha256) beside it.
///
/// A file is written under a temporary name in `tmp/`, flushed, its sum put beside its final name, and then renamed; a
/// reader sees all of it or none. Temporary names carry the writer's process id and host, and those of this host's processes
/// that are gone are removed when the store is opened; several hosts may share a directory.
public struct DirectoryArtifactStore: ArtifactStore {
    public let directory: String

    /// Opens the store, creating the directory where needed.
    /// - Throws: `ArtifactError` when it cannot be created or written.
    public init(directory: String) throws {
        self.directory = directory
        do {
            try FileManager.default.createDirectory(atPath: directory + "/tmp", withIntermediateDirectories: true)
        } catch {
            throw ArtifactError(.cannotWrite, subject: directory, message: "cannot be created or written")
        }
        removeLeftovers()
    }

    public func localFile(for key: ArtifactKey) throws -> String? {
        let path = path(of: key)
        guard let recorded = try? String(contentsOfFile: path + ".sum", encoding: .utf8) else { return nil }  // not there
        guard recorded == (try? sum(ofFile: path)) else {  // unreadable or changed: both are made again
            unlink(path)
            unlink(path + ".sum")
            return nil
        }
        return path
    }

    public func dateStored(_ key: ArtifactKey) throws -> Date? {
        guard let path = try localFile(for: key) else { return nil }
        return try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date  // gone in between: not there
    }

    public func put(_ file: String, for key: ArtifactKey) throws {
        let path = path(of: key)
        let folder = directory + "/" + key.text.prefix(2)
        if mkdir(folder, 0o777) != 0, errno != EEXIST { throw writeError(folder) }
        let sumFile = file + ".sum"
        try flush(file)
        // Not by way of a file that Foundation names: a process that is killed would leave it, and nobody would know whose it is.
        guard let text = try? sum(ofFile: file), (try? Data(text.utf8).write(to: URL(fileURLWithPath: sumFile))) != nil,
            (try? flush(sumFile)) != nil, rename(file, path) == 0, rename(sumFile, path + ".sum") == 0
        else {
            let error = writeError(path)
            unlink(file)
            unlink(sumFile)
            throw error
        }
    }

    public func temporaryFile(for key: ArtifactKey) throws -> String {
        "\(directory)/tmp/\(ScratchFile.name(String(key.text.prefix(16))))"
    }

    private func path(of key: ArtifactKey) -> String { "\(directory)/\(key.text.prefix(2))/\(key.text)" }

    /// Size and sha256, as the `.sum` file has them.
    private func sum(ofFile path: String) throws -> String {
        let (hash, byteCount) = try ContentHash.ofFile(path)
        return "\(byteCount) \(hash)\n"
    }

    /// Makes sure that a file's bytes are on the disk before its name is.
    private func flush(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw writeError(path) }
        defer { close(descriptor) }
        if fdatasync(descriptor) != 0 { throw writeError(path) }
    }

    private func writeError(_ path: String) -> ArtifactError {
        ArtifactError(.cannotWrite, subject: path, message: "cannot be written: \(String(cString: strerror(errno)))")
    }

    public func removeLeftovers() { ScratchFile.removeLeftovers(in: directory + "/tmp") }
}
