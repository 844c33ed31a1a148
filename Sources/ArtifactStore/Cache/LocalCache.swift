import Glibc

/// The cache of this machine's exports as one process uses it: its artifacts, the lock that keeps them there meanwhile,
/// and the bytes that they may have when the process is done with them. Farms have nothing of this: their artifacts go
/// by `spool gc`, which asks the database.
package struct LocalCache: Sendable {
    package let store: DirectoryArtifactStore
    /// Nil where there can be no lock.
    private let lock: CacheLock?
    private let limit: Int64?

    /// Opens the cache, after waiting for a process that removes artifacts from it. The use ends with `endUse`, or when
    /// the last copy of this value is gone.
    /// - Parameters:
    ///   - directory: an existing directory.
    ///   - limit: bytes of artifacts and their checksums, at least 0; nil for no limit.
    /// - Throws: `ArtifactError` when the directory cannot be written, or `CancellationError`.
    package init(directory: String, limit: Int64?) async throws {
        lock = try await CacheLock.shared(of: directory)
        store = try DirectoryArtifactStore(directory: directory)
        self.limit = limit
    }

    /// Ends the use of the artifacts, and removes the longest unused ones until the others are within the limit.
    ///
    /// Nothing is removed while another process uses the cache, where there can be no lock, in the store of a farm, and
    /// once the task is cancelled. A directory that cannot be read and files that cannot be removed are no errors,
    /// because the work is done without them.
    /// - Returns: the bytes that were removed.
    package func endUse() -> Int64 {
        let removed: Int64? = lock?.release { limit.map { reduce(to: $0) } ?? 0 }
        return removed ?? 0
    }

    private func reduce(to limit: Int64) -> Int64 {
        // The cache's own directory may be a link to another disk, which `StoredFiles` would not follow.
        guard !Task.isCancelled, let path = realpath(store.directory, nil) else { return 0 }
        defer { free(path) }
        let directory = String(cString: path)
        // A tenant's artifacts in the store of a farm look the same.
        guard access(FarmDirectory(directory + "/../..").marker.file, F_OK) != 0 else { return 0 }
        return (try? StoredFiles.artifacts(in: directory).reduce(to: limit)) ?? 0  // unreadable: see above
    }
}
