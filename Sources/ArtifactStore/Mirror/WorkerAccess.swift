/// The access of workers without keys to a farm's bucket, by addresses that a coordinator signs: they read its files, store
/// artifacts and assets, and remove the records of damaged artifacts. They remove and list nothing else.
package struct WorkerAccess: Sendable {
    private let blobs: any BlobStore
    /// What the keys of all blobs begin with; empty, or ending with a slash.
    private let prefix: String
    /// How long an address is valid. The service looks at the time when a request begins.
    package static let lifetime = Duration.seconds(600)

    package init(_ blobs: any BlobStore, prefix: String) {
        self.blobs = blobs
        self.prefix = prefix
    }

    /// The address of a request; nil where workers do not send such requests.
    /// - Throws: `BlobError`.
    package func address(of request: BlobRequest) async throws -> String? {
        guard allows(request) else { return nil }
        return try await blobs.address(of: request, lifetime: WorkerAccess.lifetime)
    }

    package func allows(_ request: BlobRequest) -> Bool {
        // Each upload's own mark is all that workers send. A copy, for example, would read any other blob.
        guard request.headers.keys.allSatisfy({ $0 == "x-amz-meta-spool-upload" }) else { return false }
        let query = Set(request.query.keys)
        guard let name = request.name else {
            // This asks whether the bucket exists.
            return request.method == "GET" && request.query == ["list-type": "2", "max-keys": "1", "prefix": prefix]
        }
        let kind = WorkerAccess.kind(of: name)
        switch (request.method, kind) {
        case (_, nil): return false
        case ("GET", _), ("HEAD", _): return query.isEmpty
        case (_, .marker): return false
        case ("PUT", _): return query.isEmpty || query == ["uploadId", "partNumber"]
        case ("POST", _): return query == ["uploads"] || query == ["uploadId"]
        case ("DELETE", _): return query == ["uploadId"] || query.isEmpty && kind == .record
        default: return false
        }
    }

    private enum Kind { case marker, artifact, record, asset }

    /// nil for what is no file of a farm.
    private static func kind(of name: BlobName) -> Kind? {
        if name.text == "farm" { return .marker }
        let parts = name.text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, !parts[1].isEmpty, parts[1].utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            parts[2].utf8.count == 2, parts[3].hasPrefix(parts[2])
        else { return nil }
        let isRecord = parts[3].hasSuffix(".sum")
        guard StoredFiles.isName(String(isRecord ? parts[3].dropLast(4) : parts[3])) else { return nil }
        switch parts[0] {
        case "tenants": return isRecord ? .record : .artifact
        case "assets": return isRecord ? nil : .asset
        default: return nil
        }
    }
}
