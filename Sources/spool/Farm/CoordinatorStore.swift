import ArtifactStore
import CommandLineInterface
import ExportPlan
import FarmAPI
import FarmClient
import LocalFarm
import S3Store
import FoundationEssentials

/// The bucket of a farm, as a worker without keys uses it: it asks a coordinator for the address of each request.
struct CoordinatorStore {
    private let farm: FarmClient

    /// - Parameter address: the coordinator's, `http://host:port` or `https://...`.
    /// - Throws: `FarmSettings.Fault` where the environment has no token.
    init(_ address: String) throws {
        guard let token = ProcessInfo.processInfo.environment["SPOOL_TOKEN"], !token.isEmpty else {
            throw FarmSettings.Fault(
                lines: ["store: a worker that uses the store of '\(address)' needs a token with the scope work in SPOOL_TOKEN"])
        }
        farm = try FarmClient(server: address, token: token, attempts: 6)
    }

    /// Asks the coordinator which bucket it is.
    /// - Throws: `FarmSettings.Fault`, `ClientFailure`, and errors of the directory of the copies.
    func location(_ settings: FarmSettings) async throws -> StoreLocation {
        let report = try await farm.store()
        guard let style = S3Settings.Style(rawValue: report.style) else {
            throw ClientFailure(
                .notUnderstood,
                "\(farm.server) names a kind of bucket that this version does not know; upgrade spool on this machine")
        }
        let bucket = try S3Settings(report.address, region: report.region, endpoint: report.endpoint, style: style)
        return try StoreLocation(S3Blobs(bucket, signer: Signer(farm: farm)), settings)
    }

    private struct Signer: S3Signer {
        let farm: FarmClient

        func address(of request: BlobRequest) async throws -> String {
            guard let method = StoreRequest.Method(rawValue: request.method) else {
                throw refused(request, .refused, "is unknown")
            }
            do {
                let wanted = StoreRequest(method, name: request.name?.text, query: request.query, headers: request.headers)
                return try await farm.sign(wanted).address
            } catch let failure as ClientFailure {
                switch failure.reason {
                case .refused(.unauthorized), .refused(.forbidden): throw refused(request, .denied, failure.message)
                case .refused(.badRequest), .refused(.conflict): throw refused(request, .refused, failure.message)
                default: throw refused(request, .unavailable, failure.message)
                }
            }
        }

        private func refused(_ request: BlobRequest, _ code: BlobErrorCode, _ message: String) -> BlobError {
            BlobError(
                code, subject: request.name?.text ?? "the store",
                message: "cannot be used: the coordinator does not sign '\(request.method)': \(message)")
        }
    }
}
