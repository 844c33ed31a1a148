import ContentHashing
package import ExportPlan

/// Reads stored files to find out whether they are whole. It removes and changes nothing.
package struct BlobCheck: Sendable {
    private let blobs: any BlobStore

    package init(_ blobs: any BlobStore) {
        self.blobs = blobs
    }

    /// The fault of an artifact, as the end of a sentence; nil where its bytes are those that were stored.
    /// - Throws: `BlobError` where the store cannot say.
    package func fault(of key: ArtifactKey, tenant: Int64) async throws -> String? {
        guard let found = try await hash(of: try StoreNames.artifact(key, ofTenant: tenant)) else { return "is not there" }
        guard let text = try await text(of: try StoreNames.record(of: key, ofTenant: tenant)) else {
            return "has no checksum beside it"
        }
        let record = ArtifactRecord(text: text)
        guard let byteCount = record.byteCount, let hash = record.hash else { return "has a checksum that cannot be read" }
        guard found.byteCount == byteCount else { return "has \(found.byteCount) bytes, and \(byteCount) were stored" }
        return found.hash == hash ? nil : "has other bytes than those that were stored"
    }

    /// The fault of an asset, as for artifacts.
    /// - Parameter hash: the sha256 that the asset is named by.
    package func fault(ofAsset hash: String, tenant: Int64) async throws -> String? {
        guard let found = try await self.hash(of: try StoreNames.asset(hash, ofTenant: tenant)) else { return "is not there" }
        return found.hash == hash ? nil : "has other bytes than those that were uploaded"
    }

    private func hash(of name: BlobName) async throws -> (hash: String, byteCount: Int64)? {
        guard let reader = try await blobs.read(name, range: nil) else { return nil }
        var hash = IncrementalHash()
        var byteCount: Int64 = 0
        for try await bytes in reader {
            bytes.withUnsafeBytes { hash.update($0) }
            byteCount += Int64(bytes.count)
        }
        return (hash.finish(), byteCount)
    }

    private func text(of name: BlobName) async throws -> String? {
        guard let reader = try await blobs.read(name, range: 0..<(1 << 20)) else { return nil }
        var text: [UInt8] = []
        for try await bytes in reader { text += bytes }
        return String(decoding: text, as: UTF8.self)
    }
}
