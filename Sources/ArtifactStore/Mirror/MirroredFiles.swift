import BlockingWork
package import ExportPlan
import FoundationEssentials

/// Assets of a store whose files this machine does not share. An upload is received into a file, and published when it is
/// whole.
package struct MirroredAssets: AssetBlobs {
    private let store: MirroredStore
    private let received: DirectoryAssets

    /// - Throws: `AssetUploadError` when the directory of the copies cannot be written.
    package init(_ store: MirroredStore) throws {
        self.store = store
        received = try DirectoryAssets(store.directory)
    }

    package func has(_ hash: String, tenant: Int64) async throws -> Bool {
        try await asArtifactError { try await store.has(asset: hash, tenant: tenant) }
    }

    /// The file stays for a minute at least.
    package func file(of hash: String, tenant: Int64) async throws -> String? {
        try await asArtifactError { try await store.asset(hash, tenant: tenant)?.path }
    }

    package func beginUpload(tenant: Int64) async throws -> any AssetUpload {
        MirroredUpload(upload: try await received.beginUpload(tenant: tenant), store: store, tenant: tenant)
    }
}

private struct MirroredUpload: AssetUpload {
    let upload: any AssetUpload
    let store: MirroredStore
    let tenant: Int64

    func write(_ bytes: [UInt8]) async throws { try await upload.write(bytes) }

    func write(file path: String) async throws { try await upload.write(file: path) }

    func finish(as hash: String?) async throws -> (hash: String, byteCount: Int64) {
        let stored = try await upload.finish(as: hash)
        do {
            try await store.publish(asset: stored.hash, tenant: tenant)
        } catch let error as BlobError {
            throw AssetUploadError(.cannotWrite, "'\(error.subject)' \(error.message)")
        }
        return stored
    }

    func abandon() async { await upload.abandon() }
}

/// Films of a store whose files this machine does not share. A film is fetched before it is sent.
package struct MirroredFilms: FilmFiles {
    private let store: MirroredStore

    package init(_ store: MirroredStore) { self.store = store }

    /// The file stays for a minute at least.
    package func film(_ key: ArtifactKey, tenant: Int64) async throws -> String? {
        try await asArtifactError { try await store.artifact(key, tenant: tenant)?.last?.path }
    }

    package func recordedSum(of key: ArtifactKey, tenant: Int64) async throws -> (hash: String, byteCount: Int64)? {
        try await asArtifactError { try await store.recordedSum(ofStored: key, tenant: tenant) }
    }
}

/// Runs `body`, and throws an error of the store as those of files of a directory.
private func asArtifactError<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
        return try await body()
    } catch let error as BlobError {
        throw ArtifactError(.cannotRead, subject: error.subject, message: error.message)
    }
}
