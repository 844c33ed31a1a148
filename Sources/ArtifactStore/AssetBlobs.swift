package import ExportPlan

/// The storage of uploaded sources, by tenant and sha256.
package protocol AssetBlobs: Sendable {
    /// Whether the store has an asset, which is not fetched for that.
    /// - Throws: `ArtifactError` when the store cannot be read.
    func has(_ hash: String, tenant: Int64) async throws -> Bool
    /// The file of an asset; nil when the store can be reached and does not have the asset.
    /// - Throws: `ArtifactError` when the file or the store cannot be read.
    func file(of hash: String, tenant: Int64) async throws -> String?
    /// Begins an upload to a place that nothing else reads.
    func beginUpload(tenant: Int64) async throws -> any AssetUpload
}

extension AssetBlobs {
    package func has(_ hash: String, tenant: Int64) async throws -> Bool { try await file(of: hash, tenant: tenant) != nil }
}

/// An upload in progress. Either `finish` or `abandon` ends it.
package protocol AssetUpload: Sendable {
    func write(_ bytes: [UInt8]) async throws
    /// Copies a file of the farm into the upload.
    func write(file path: String) async throws
    /// Moves the asset to its place in one step. An asset that is there already under this hash has the same bytes.
    /// - Parameter hash: the sha256 that the bytes must have; nil accepts any bytes.
    /// - Returns: the sha256 and the number of the bytes.
    /// - Throws: `AssetUploadError` when the bytes have another hash; the upload is then removed.
    func finish(as hash: String?) async throws -> (hash: String, byteCount: Int64)
    /// Removes everything that was uploaded.
    func abandon() async
}

/// The storage of finished films.
package protocol FilmFiles: Sendable {
    /// The film's file, complete and with the right checksum; nil when the store can be reached and does not have the
    /// film.
    /// - Throws: `ArtifactError` when the film or the store cannot be read.
    func film(_ key: ArtifactKey, tenant: Int64) async throws -> String?
    /// The sha256 and the size in bytes that were recorded when the film was stored; nil when the store can be reached and
    /// does not have the film. The film's bytes are not read, so damage is not noticed here.
    /// - Throws: `ArtifactError` when the store cannot be read.
    func recordedSum(of key: ArtifactKey, tenant: Int64) async throws -> (hash: String, byteCount: Int64)?
}

/// Why an upload did not become an asset.
package struct AssetUploadError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable { case otherHash, tooLarge, cannotWrite }

    package var reason: Reason
    /// One sentence for a person.
    package var message: String

    package init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}
