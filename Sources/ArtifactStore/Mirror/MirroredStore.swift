package import ExportPlan
import FoundationEssentials

/// A farm's store on a machine that does not share its files: a bucket, with this machine's copies in a directory.
///
/// The copies have the layout of a farm's directory, so what works on a shared directory works on them: rendering processes
/// read and write files, and know nothing of the store. Before a job its sources and artifacts are fetched, and after it
/// its artifact is published. An artifact's record is published last, and so stands for a whole artifact.
package struct MirroredStore: Sendable {
    let blobs: any BlobStore
    /// The store in messages, such as `s3://bucket/prefix`.
    private let address: String
    private let cache: BlobCache
    /// This machine's copies.
    package let directory: FarmDirectory

    /// - Parameters:
    ///   - blobs: the store of the farm.
    ///   - address: the store in messages, such as `s3://bucket/prefix`.
    ///   - directory: a directory of a local disk; it is made where it is missing.
    ///   - limit: bytes of the copies, at least 0; jobs that run may need more.
    /// - Throws: `ArtifactError` or `BlobError` where the directory cannot be written.
    package init(
        _ blobs: any BlobStore, address: String, directory: FarmDirectory, limit: Int64, grace: Duration = BlobCache.grace
    ) throws {
        try directory.marker.create()
        self.blobs = blobs
        self.address = address
        self.directory = directory
        cache = try BlobCache(blobs, directory: directory.root, limit: limit, grace: grace)
    }

    // MARK: The farm

    /// Gives the store to a farm, unless it belongs to another one.
    /// - Parameter farm: the farm's id.
    /// - Throws: `BlobError`.
    package func claim(for farm: String) async throws {
        if try await text(of: StoreNames.farm()) == nil {
            // Another coordinator may be first; the check says whether it is this farm.
            try await write("\(farm)\n", as: StoreNames.farm(), UploadOptions(replaces: false, contentType: "text/plain"))
        }
        try await check(farm: farm)
    }

    /// Stores a small blob.
    func write(_ text: String, as name: BlobName, _ options: UploadOptions) async throws {
        let upload = try await blobs.beginUpload(as: name, options)
        do {
            try await upload.write(Array(text.utf8))
            _ = try await upload.finish()
        } catch {
            await upload.abandon()
            throw error
        }
    }

    /// Looks whether a farm's store is there.
    /// - Parameter farm: the id of the farm.
    /// - Returns: why it is not, as a sentence: it does not answer, or names no farm; nil where it is there.
    /// - Throws: `BlobError` when it belongs to another farm, or what its settings name does not exist or is refused.
    package func complaint(farm: String) async throws -> String? {
        do {
            guard try await text(of: StoreNames.farm()) != nil else { return "'\(address)' has no blob 'farm'" }
        } catch let error as BlobError where error.code == .unavailable {
            return error.description
        }
        try await check(farm: farm)
        return nil
    }

    /// Checks that the store answers and is a farm's.
    /// - Parameter farm: the id of the farm whose store it has to be; nil where that is not known.
    /// - Throws: `BlobError`.
    package func check(farm: String?) async throws {
        guard let found = try await text(of: StoreNames.farm()) else {
            throw BlobError(
                .noStore, subject: address, message: "is not a farm's store: it has no blob 'farm'; start the coordinator first")
        }
        let owner = found.trimming
        guard let farm, owner != farm else { return }
        throw BlobError(
            .noStore, subject: address,
            message: "is the store of farm '\(owner.prefix(100))', and the database is farm \(farm); name the farm's own store "
                + "with --store")
    }

    /// The text of a small blob; nil where there is none.
    func text(of name: BlobName) async throws -> String? {
        guard let reader = try await blobs.read(name, range: 0..<MirroredStore.longestText) else { return nil }
        var bytes: [UInt8] = []
        for try await more in reader { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// No farm's id, no record of an artifact and no note of a film is longer.
    static let longestText: Int64 = 4 << 20

    // MARK: Artifacts

    /// The warnings about damage that was concealed while an artifact was made, of which no bytes are fetched.
    /// - Returns: nil where the store does not have the artifact, whole as far as its size tells.
    /// - Throws: `BlobError`.
    package func warnings(ofStored key: ArtifactKey, tenant: Int64) async throws -> [SourceWarning]? {
        let name = try StoreNames.record(of: key, ofTenant: tenant)
        guard let text = try await text(of: name) else { return nil }
        let record = ArtifactRecord(text: text)
        let info = try await blobs.info(of: StoreNames.artifact(key, ofTenant: tenant))
        return info != nil && info?.byteCount == record.byteCount ? record.warnings : nil
    }

    /// The sha256 and the size in bytes that were recorded when an artifact was published. None of its bytes are fetched.
    /// - Returns: nil where the store does not have the artifact, whole as far as its size tells.
    /// - Throws: `BlobError`.
    package func recordedSum(ofStored key: ArtifactKey, tenant: Int64) async throws -> (hash: String, byteCount: Int64)? {
        let name = try StoreNames.record(of: key, ofTenant: tenant)
        guard let text = try await text(of: name) else { return nil }
        let record = ArtifactRecord(text: text)
        guard let hash = record.hash, let byteCount = record.byteCount else { return nil }
        let info = try await blobs.info(of: StoreNames.artifact(key, ofTenant: tenant))
        return info?.byteCount == byteCount ? (hash: hash, byteCount: byteCount) : nil
    }

    /// Fetches an artifact with its record.
    ///
    /// An artifact whose bytes are not those that were published is no longer one: its record goes, so that it is made
    /// again.
    /// - Returns: the files, which stay until they are no longer used; nil where the store does not have the artifact.
    /// - Throws: `BlobError`.
    package func artifact(_ key: ArtifactKey, tenant: Int64) async throws -> [CachedFile]? {
        let name = try StoreNames.record(of: key, ofTenant: tenant)
        // This machine's copy of the record may be an old one, or damaged. Only the store's own record says what is there.
        for isOwn in [false, true] {
            if isOwn { cache.discard(name) }
            guard let record = try await cache.file(name) else { return nil }
            guard let content = FileManager.default.contents(atPath: record.path) else {
                throw BlobError(.cannotRead, subject: record.path, message: "cannot be read in the cache")
            }
            guard let hash = ArtifactRecord(text: String(decoding: content, as: UTF8.self)).hash else { continue }
            do {
                let file = try await cache.file(StoreNames.artifact(key, ofTenant: tenant), sha256: hash)
                return file.map { [record, $0] }
            } catch let error as BlobError where error.code == .damaged {
                continue
            }
        }
        try await blobs.remove([name])
        cache.discard(name)
        return nil
    }

    /// Publishes an artifact that was made on this machine.
    /// - Parameter options: how its bytes are stored.
    /// - Throws: `BlobError`.
    package func publish(_ key: ArtifactKey, tenant: Int64, _ options: UploadOptions = UploadOptions()) async throws {
        let (artifact, record) = try (
            StoreNames.artifact(key, ofTenant: tenant), StoreNames.record(of: key, ofTenant: tenant)
        )
        try await publish([(artifact, options), (record, UploadOptions())])
    }

    /// A file that was made on this machine, in use; nil where it is gone.
    func made(_ name: BlobName) async throws -> CachedFile? { try await cache.present(name) }

    /// Uploads files of this machine, one after the other. They are in use until the last is there.
    private func publish(_ names: [(name: BlobName, options: UploadOptions)]) async throws {
        var files: [CachedFile] = []
        for (name, _) in names {
            guard let file = try await made(name) else {
                throw BlobError(.cannotRead, subject: cache.path(of: name), message: "is gone before it was uploaded")
            }
            files.append(file)
        }
        for ((name, options), file) in zip(names, files) { try await blobs.upload(file.path, as: name, options) }
        try await cache.noteMade(files.reduce(0) { $0 + $1.byteCount })
    }

    /// Makes room on this machine's disk, which is full.
    package func makeRoom() async throws { try await cache.makeRoom() }

    // MARK: Assets

    /// Whether the store has an asset.
    /// - Throws: `BlobError`.
    package func has(asset hash: String, tenant: Int64) async throws -> Bool {
        try await blobs.info(of: StoreNames.asset(hash, ofTenant: tenant)) != nil
    }

    /// Fetches an asset.
    /// - Returns: the file, which stays until it is no longer used; nil where the store does not have the asset.
    /// - Throws: `BlobError`; code `damaged` where the store has other bytes under the hash.
    package func asset(_ hash: String, tenant: Int64) async throws -> CachedFile? {
        try await cache.file(StoreNames.asset(hash, ofTenant: tenant), sha256: hash)
    }

    /// Publishes an asset that this machine has.
    /// - Throws: `BlobError`.
    package func publish(asset hash: String, tenant: Int64) async throws {
        try await publish([(try StoreNames.asset(hash, ofTenant: tenant), UploadOptions())])
    }

    /// Removes this machine's copy of an asset, which is damaged.
    package func discard(asset hash: String, tenant: Int64) {
        if let name = try? StoreNames.asset(hash, ofTenant: tenant) { cache.discard(name) }  // otherwise there is no copy
    }
}

extension String {
    /// Without spaces and line breaks at both ends.
    fileprivate var trimming: String {
        let text = drop { $0.isWhitespace }
        return String(text[..<(text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? text.startIndex)])
    }
}
