import AsyncHTTPClient
public import Coordinator
public import FarmAPI
import ContentHashing
import NIOCore
import NIOHTTP1

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Sources on their way to the farm.
extension FarmClient {
    /// Newest first.
    public func assets(limit: Int? = nil) async throws -> Listing<Asset> {
        try await call(.GET, "/v1/assets", query: [("limit", limit.map(String.init))], as: Listing<Asset>.self)
    }

    /// Whether an upload can be left out.
    public func hasAsset(_ hash: String) async throws -> Bool {
        let request = request(.HEAD, "/v1/assets/\(hash)")
        return try await repeating(true) {
            let response = try await http.execute(request, timeout: .seconds(60))
            switch response.status.code {
            case 200: return true
            case 404: return false
            case 429: throw refusal(response, Data())
            // An answer to HEAD has no body that says why; the same question as GET has.
            case let code:
                _ = try await exchange(.GET, "/v1/assets", query: [("limit", "1")], repeatable: false)
                guard code != 503 else { throw refusal(response, Data()) }
                throw ClientFailure(.notUnderstood, "\(server) answers with status \(code)")
            }
        }
    }

    /// Hashes a file and sends it, unless the farm has it.
    /// - Returns: its sha256, and whether it was sent.
    /// - Throws: `ClientFailure`, `file` when it cannot be read.
    public func putAsset(_ path: String) async throws -> (hash: String, byteCount: Int, wasSent: Bool) {
        if let complaint = FileKind.complaint(about: path) { throw ClientFailure(.file, "'\(path)' \(complaint)") }
        let hash: String
        let byteCount: Int
        do throws(ContentHash.ReadError) {
            (hash, byteCount) = try await FileReader().hash(path)
        } catch {
            throw ClientFailure(.file, "'\(path)' cannot be read: \(error.reason)")
        }
        if try await hasAsset(hash) { return (hash, byteCount, false) }
        var request = request(.PUT, "/v1/assets/\(hash)")
        let name = path.split(separator: "/").last.map(String.init) ?? hash
        request.headers.replaceOrAdd(name: "Asset-Name", value: FarmClient.escaped(name))
        request.body = .stream(FileChunks(path: path), length: .known(Int64(byteCount)))
        let ready = request
        try await repeating(true) {
            let response = try await http.execute(ready, deadline: .distantFuture)
            let buffer = try await response.body.collect(upTo: 1 << 20)
            try check(response, Data(buffer.readableBytesView))
        }
        return (hash, byteCount, true)
    }
}
