import HTTPClient
package import FarmAPI
import ContentHashing
import Vocabulary
import FoundationEssentials

/// Uploads of sources to the farm.
extension FarmClient {
    /// The assets, newest first.
    /// Makes the farm forget an asset.
    package func removeAsset(_ hash: String) async throws {
        _ = try await exchange("DELETE", "/v1/assets/\(hash.percentEncoded())", repeatable: false)
    }

    package func assets(limit: Int? = nil) async throws -> Listing<Asset> {
        try await call("GET", "/v1/assets", query: [("limit", limit.map(String.init))], as: Listing<Asset>.self)
    }

    /// Whether the farm has an asset, so that its upload can be skipped.
    package func hasAsset(_ hash: String) async throws -> Bool {
        do {
            return try await headOfAsset(hash)
        } catch let failure as ClientFailure where failure.reason == .refused(.unavailable) {
            // The answer to HEAD has no body with the reason.
            do {
                try await askForReason()
            } catch let said as ClientFailure where said.reason == failure.reason {
                throw said
            } catch is ClientFailure {
                // The token may not list assets, or the farm is back.
            }
            throw failure
        }
    }

    private func headOfAsset(_ hash: String) async throws -> Bool {
        var asked = request("HEAD", "/v1/assets/\(hash)")
        asked.limit = .seconds(60)
        let request = asked
        return try await repeating(true) {
            let response = try await http.execute(request)
            switch response.status {
            case 200: return true
            case 404: return false
            case 429, 503: throw refusal(response, Data())
            case let code:
                try await askForReason()
                throw ClientFailure(.notUnderstood, "\(server) answers with status \(code)")
            }
        }
    }

    /// Sends a request that fails as the one before it failed, but with the reason in the answer's body.
    private func askForReason() async throws {
        _ = try await exchange("GET", "/v1/assets", query: [("limit", "1")], repeatable: false)
    }

    /// Hashes a file and uploads it, unless the farm has it.
    /// - Returns: the sha256, the size in bytes, and whether the file was uploaded.
    /// - Throws: `ClientFailure`; its code is `file` when the file cannot be read.
    package func putAsset(_ path: String) async throws -> (hash: String, byteCount: Int, wasSent: Bool) {
        if let complaint = FileKind.complaint(about: path) { throw ClientFailure(.file, "'\(path)' \(complaint)") }
        let hash: String
        let byteCount: Int
        do throws(ContentHash.ReadError) {
            (hash, byteCount) = try await FileReader().hash(path)
        } catch {
            throw ClientFailure(.file, "'\(path)' cannot be read: \(error.reason)")
        }
        if try await hasAsset(hash) { return (hash, byteCount, false) }
        var request = request("PUT", "/v1/assets/\(hash)")
        let name = path.split(separator: "/").last.map(String.init) ?? hash
        request.setHeader("Asset-Name", name.percentEncoded())
        request.body = .file(path: path, byteCount: Int64(byteCount))
        let ready = request
        try await repeating(true) {
            let response = try await http.execute(ready)
            let data = Data(try await response.body.collect(upTo: 1 << 20))
            try check(response, data)
        }
        return (hash, byteCount, true)
    }
}
