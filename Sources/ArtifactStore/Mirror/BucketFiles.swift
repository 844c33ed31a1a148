import ExportPlan

/// The artifacts or the assets of a tenant in a bucket, for those who remove what is not needed: what `StoredFiles` is for a
/// directory.
///
/// A bucket does not know when an object was last read, so an object counts as used when it was stored.
package struct BucketFiles: Sendable {
    private let blobs: any BlobStore
    /// What the names of all its blobs begin with, such as `assets/1/`.
    private let prefix: String

    init(_ blobs: any BlobStore, prefix: String) {
        self.blobs = blobs
        self.prefix = prefix
    }

    /// How many blobs are listed with one request.
    private static let page = 1000

    /// All files. An artifact, its record and the note of a film beside it count as one.
    /// - Throws: `BlobError`.
    package func list() async throws -> StoredFiles.Listing {
        var listing = StoredFiles.Listing()
        var last: BlobName?
        while true {
            let found = try await blobs.list(prefix, after: last, limit: BucketFiles.page)
            for blob in found { add(blob, to: &listing) }
            guard found.count == BucketFiles.page else { return listing }
            last = found.last?.name
        }
    }

    /// The record of an artifact and the note beside it follow it at once, because names are listed in order.
    private func add(_ blob: BlobListing, to listing: inout StoredFiles.Listing) {
        let parts = blob.name.text.dropFirst(prefix.count).split(separator: "/")
        let end = StoreNames.ends.first { parts.last?.hasSuffix($0) == true } ?? ""
        let name = parts.last.map { String($0.dropLast(end.count)) } ?? ""
        guard parts.count == 2, StoredFiles.isName(name), name.hasPrefix(parts[0]), parts[0].utf8.count == 2 else {
            listing.foreignCount += 1
            return
        }
        if let place = listing.files.indices.last, listing.files[place].name == name {
            listing.files[place].byteCount += blob.info.byteCount
            listing.files[place].storedAt = max(listing.files[place].storedAt, blob.info.storedAt)
            listing.files[place].usedAt = listing.files[place].storedAt
        } else {
            listing.files.append(
                StoredFiles.File(
                    name: name, byteCount: blob.info.byteCount, storedAt: blob.info.storedAt, usedAt: blob.info.storedAt))
        }
    }

    /// Removes files with their records and notes. The records go first: without one an artifact counts as not there.
    package func remove(_ names: [String]) async -> [String: StoredFiles.Removal] {
        let faulty = names.filter { !StoredFiles.isName($0) }
        let paths = names.filter(StoredFiles.isName).map { "\(prefix)\($0.prefix(2))/\($0)" }
        do {
            for end in StoreNames.ends { try await blobs.remove(paths.compactMap { BlobName($0 + end) }) }
            try await blobs.remove(paths.compactMap { BlobName($0) })
        } catch {
            let reason = (error as? BlobError).map { "'\($0.subject)' \($0.message)" } ?? "\(error)"
            return Dictionary(uniqueKeysWithValues: names.map { ($0, .failed(reason)) })
        }
        var removals = Dictionary(uniqueKeysWithValues: names.map { ($0, StoredFiles.Removal.removed) })
        for name in faulty { removals[name] = .failed("'\(name)' is not the name of a stored file") }
        return removals
    }
}

extension MirroredStore {
    /// The artifacts of a tenant in the bucket.
    package func artifactFiles(ofTenant tenant: Int64) -> BucketFiles { BucketFiles(blobs, prefix: "tenants/\(tenant)/") }

    /// The assets of a tenant in the bucket.
    package func assetFiles(ofTenant tenant: Int64) -> BucketFiles { BucketFiles(blobs, prefix: "assets/\(tenant)/") }
}
