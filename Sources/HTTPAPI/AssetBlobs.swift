public import ExportPlan
import FarmAPI
public import NIOCore

/// Where uploaded sources lie, by tenant and sha256.
public protocol AssetBlobs: Sendable {
    /// The file of an asset; nil when the store is there and the asset is not.
    /// - Throws: `ArtifactError` when the file or the store cannot be read.
    func file(of hash: String, tenant: Int64) async throws -> String?
    /// Begins an upload to a place that nobody sees.
    func beginUpload(tenant: Int64) async throws -> any AssetUpload
}

/// Bytes on their way in. One of `finish` and `abandon` ends it.
public protocol AssetUpload: Sendable {
    func write(_ bytes: ByteBuffer) async throws
    /// Writes a whole file of the farm.
    func write(file path: String) async throws
    /// Puts the asset in its place, atomically; a second one under the same hash has the same bytes.
    /// - Parameter hash: what the bytes have to be; nil takes them as they are.
    /// - Returns: their sha256, and their number.
    /// - Throws: `AssetUploadError` when the bytes are not those of the hash; nothing is left of them then.
    func finish(as hash: String?) async throws -> (hash: String, byteCount: Int64)
    /// Leaves nothing behind.
    func abandon() async
}

/// Where finished films lie.
public protocol FilmFiles: Sendable {
    /// The film's file, whole and sound; nil when the store is there and the film is not.
    /// - Throws: `ArtifactError` when the film or the store cannot be read.
    func film(_ key: ArtifactKey, tenant: Int64) async throws -> String?
}

/// Why an upload did not become an asset.
public struct AssetUploadError: Error, Hashable, Sendable {
    enum Reason: Hashable, Sendable { case otherHash, tooLarge, cannotWrite }

    var reason: Reason
    public var message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    var code: FaultCode {
        switch reason {
        case .otherHash: .hashMismatch
        case .tooLarge: .tooLarge
        case .cannotWrite: .unavailable
        }
    }
}
