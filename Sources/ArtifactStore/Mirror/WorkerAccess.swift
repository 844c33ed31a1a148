/// The access of workers without keys to a farm's bucket, by addresses that a coordinator signs: they read its files, store
/// artifacts and assets, also with bytes of the same tenant's artifacts, and remove the records of damaged artifacts. They
/// remove and list nothing else.
package struct WorkerAccess: Sendable {
    private let blobs: any BlobStore
    /// The prefix of the keys of all blobs; empty, or ending with a slash.
    private let prefix: String
    /// The beginning of the header `x-amz-copy-source` for a blob of the farm: the bucket and the store's prefix.
    private let source: String
    /// How long an address is valid. The service looks at the time when a request begins.
    package static let lifetime = Duration.seconds(600)

    package init(_ blobs: any BlobStore, prefix: String, source: String) {
        self.blobs = blobs
        self.prefix = prefix
        self.source = source
    }

    /// The address of a request; nil where workers do not send such requests.
    /// - Throws: `BlobError`.
    package func address(of request: BlobRequest) async throws -> String? {
        guard allows(request) else { return nil }
        return try await blobs.address(of: request, lifetime: WorkerAccess.lifetime)
    }

    package func allows(_ request: BlobRequest) -> Bool {
        let query = Set(request.query.keys)
        // Each upload's own mark is all that workers send, besides the source of a part. Another copy would read any blob.
        guard request.headers.keys.allSatisfy({ $0 == "x-amz-meta-spool-upload" }) else { return allowsCopy(request, query) }
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

    /// Whether a request makes bytes of an artifact a part of another one of the same tenant.
    private func allowsCopy(_ request: BlobRequest, _ query: Set<String>) -> Bool {
        let names = Set(request.headers.keys)
        let wanted: Set = ["x-amz-copy-source", "x-amz-copy-source-if-match", "x-amz-copy-source-range"]
        guard request.method == "PUT", names == wanted, query == ["uploadId", "partNumber"], let name = request.name,
            let header = request.headers["x-amz-copy-source"], header.hasPrefix(source),
            // The names of artifacts have nothing that would be escaped.
            let other = BlobName(String(header.dropFirst(source.count)))
        else { return false }
        return [name, other].allSatisfy { WorkerAccess.kind(of: $0) == .artifact }
            && name.text.split(separator: "/")[1] == other.text.split(separator: "/")[1]
    }

    private enum Kind { case marker, artifact, record, note, asset }

    /// nil for what is no file of a farm.
    private static func kind(of name: BlobName) -> Kind? {
        if name.text == "farm" { return .marker }
        let parts = name.text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, !parts[1].isEmpty, parts[1].utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            parts[2].utf8.count == 2, parts[3].hasPrefix(parts[2])
        else { return nil }
        let end = StoreNames.ends.first { parts[3].hasSuffix($0) }
        guard StoredFiles.isName(String(parts[3].dropLast(end?.count ?? 0))) else { return nil }
        switch (parts[0], end) {
        case ("tenants", nil): return .artifact
        case ("tenants", StoreNames.recordEnd): return .record
        case ("tenants", _): return .note
        case ("assets", nil): return .asset
        default: return nil
        }
    }
}
