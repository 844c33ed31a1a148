package import ArtifactStore

/// The store whose files garbage collection looks at.
package enum CollectedStore: Sendable {
    case directory(FarmDirectory)
    /// A bucket, which has to belong to the farm with this id.
    case bucket(MirroredStore, farm: String)

    /// Checks that the store is there and the farm's own: without it every record would look like one without a file.
    /// - Throws: `ArtifactError` or `BlobError`.
    func check() async throws {
        switch self {
        case .directory(let directory): try directory.marker.check()
        case .bucket(let store, let farm): try await store.check(farm: farm)
        }
    }

    /// Removes the unfinished files that processes of this machine left in a directory when they were killed. A bucket has
    /// none: its machines remove those among their copies.
    func removeLeftovers(of tenant: Int64) {
        guard case .directory(let directory) = self else { return }
        ScratchFile.removeLeftovers(in: directory.artifacts(ofTenant: tenant) + "/tmp")
        ScratchFile.removeLeftovers(in: directory.uploads)
    }

    func artifacts(of tenant: Int64) -> CollectedFiles {
        switch self {
        case .directory(let directory): .directory(.artifacts(in: directory.artifacts(ofTenant: tenant)))
        case .bucket(let store, _): .bucket(store.artifactFiles(ofTenant: tenant))
        }
    }

    func assets(of tenant: Int64) -> CollectedFiles {
        switch self {
        case .directory(let directory):
            .directory(StoredFiles(directory: directory.assets(ofTenant: tenant), scratch: directory.uploads))
        case .bucket(let store, _): .bucket(store.assetFiles(ofTenant: tenant))
        }
    }
}

/// The files of one kind of a tenant.
enum CollectedFiles: Sendable {
    case directory(StoredFiles)
    case bucket(BucketFiles)

    func list() async throws -> StoredFiles.Listing {
        switch self {
        case .directory(let files): try files.list()
        case .bucket(let files): try await files.list()
        }
    }

    /// Removes a file of a directory, in the transaction that removes its record: a lookup in between stops it.
    /// - Returns: nil for a bucket, which no transaction waits for. Its files go when the records are gone
    ///   (`removeLater`). An export that finds such an artifact meanwhile loses it, and makes it again.
    func removeNow(_ name: String) -> StoredFiles.Removal? {
        guard case .directory(let files) = self else { return nil }
        return files.remove(name)
    }

    /// Removes files whose records are gone.
    func removeLater(_ names: [String]) async -> [String: StoredFiles.Removal] {
        switch self {
        case .directory(let files): Dictionary(uniqueKeysWithValues: names.map { ($0, files.remove($0)) })
        case .bucket(let files): await files.remove(names)
        }
    }
}
