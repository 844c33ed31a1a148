package import ArtifactStore
import ExportPlan
import FoundationEssentials

/// Signs the requests of a client that has no keys of its own.
package protocol S3Signer: Sendable {
    /// The address of a request, which carries its signature and is used at once.
    /// - Throws: `BlobError`, `denied` where the client may not send the request.
    func address(of request: BlobRequest) async throws -> String
}

/// The source of the signatures of a client's requests.
enum S3Authorization: Sendable {
    case keys(S3CredentialCache)
    case signer(any S3Signer)

    /// The keys to sign with now; nil where somebody else signs.
    /// - Throws: `BlobError` `denied` or `unavailable`.
    func credentials() async throws -> S3Credentials? {
        switch self {
        case .keys(let cache): try await cache.current()
        case .signer: nil
        }
    }

    /// Notes that the service has refused a request for its signature.
    /// - Returns: whether the same request may get another one.
    func refused(_ credentials: S3Credentials?) async -> Bool {
        switch self {
        case .keys(let cache): if let credentials { await cache.refused(credentials) } else { false }
        // The signer may have read other keys meanwhile.
        case .signer: true
        }
    }

    /// How long a signed address is valid. The service looks at the time when a request begins.
    static let lifetime = Duration.seconds(600)
    /// Addresses are signed with keys that were read at most so long ago, because a refusal of the service does not reach
    /// the process that has signed.
    private static let keyAge = 60.0

    /// The address of a request for a client without keys.
    func address(of request: BlobRequest, lifetime: Duration, _ settings: S3Settings) async throws -> String {
        switch self {
        case .keys(let cache):
            settings.presigned(
                request, lifetime: lifetime, try await cache.current(readWithin: S3Authorization.keyAge), at: Date())
        case .signer(let signer): try await signer.address(of: request)
        }
    }
}

extension S3Request {
    /// What has to be known of a request to sign its address.
    /// - Throws: `BlobError` where the object's key is no name of a blob.
    var signable: BlobRequest {
        get throws {
            guard key.map({ BlobName($0) != nil }) ?? true else {
                throw BlobError(.refused, subject: key ?? "", message: "cannot be the name of a blob")
            }
            let own = headers.filter { $0.name.lowercased().hasPrefix("x-amz-") }.map { ($0.name.lowercased(), $0.value) }
            return BlobRequest(
                method, key.flatMap { BlobName($0) }, query: Dictionary(query) { $1 }, headers: Dictionary(own) { $1 })
        }
    }
}
