import ArtifactStore
import ExportPlan
import S3Store

/// One source on its way from a bucket into the store. The client of the bucket asks again where a request fails, and goes
/// on at the byte where a connection breaks.
struct BucketDownload {
    private let fetcher: RemoteFetcher
    private let location: RemoteLocation
    private let wanted: RemoteFetcher.Wanted
    private let progress: @Sendable (Int64) -> Void

    init(
        _ fetcher: RemoteFetcher, _ location: RemoteLocation, _ wanted: RemoteFetcher.Wanted,
        _ progress: @escaping @Sendable (Int64) -> Void
    ) {
        self.fetcher = fetcher
        self.location = location
        self.wanted = wanted
        self.progress = progress
    }

    /// - Throws: `JobFailure`, `AssetUploadError`, `ArtifactError` or `CancellationError`.
    func fetch() async throws -> FetchedSource {
        do {
            let blobs = try bucket()
            guard let key = BlobName(String(location.path.dropFirst())) else {
                throw JobFailure(
                    .input, subject: location.name,
                    message:
                        "has a key that cannot be used; name an object whose key has at most \(BlobName.longest) bytes, and no "
                        + "part that is empty, '.' or '..', or has more than \(BlobName.longestPart) bytes")
            }
            let known = try await fetcher.usable(wanted)
            guard let info = try await blobs.info(of: key) else { throw missing }
            if let known, info.version == known.etag { return known }
            guard info.byteCount <= fetcher.policy.byteLimit else { throw fetcher.tooLarge(location) }
            guard let reader = try await blobs.read(key, range: nil) else { throw missing }
            return try await store(reader)
        } catch let error as BlobError {
            // What cannot be reached is another store than the farm's own, so only this job waits.
            let isFinal = [.refused, .denied, .invalidSettings, .noStore].contains(error.code)
            throw JobFailure(
                isFinal ? .input : .transient, subject: location.name, message: "cannot be fetched: it \(error.message)")
        }
    }

    private var missing: JobFailure {
        JobFailure(.input, subject: location.name, message: "cannot be fetched: the bucket has no such object")
    }

    private func bucket() throws(BlobError) -> S3Blobs {
        let access = fetcher.policy.buckets
        let settings = try S3Settings(
            "s3://\(location.host)", region: access.region, endpoint: access.endpoint,
            style: access.style.flatMap(S3Settings.Style.init))
        return S3Blobs(settings, try S3CredentialSource(environment: access.environment, region: access.region))
    }

    private func store(_ reader: BlobReader) async throws -> FetchedSource {
        let upload = try await fetcher.assets.beginUpload(tenant: wanted.tenant)
        do {
            var byteCount: Int64 = 0
            for try await chunk in reader {
                byteCount += Int64(chunk.count)
                try await upload.write(chunk)
                progress(byteCount)
            }
            let stored = try await upload.finish(as: nil)
            return FetchedSource(contentHash: stored.hash, byteCount: stored.byteCount, etag: reader.info.version)
        } catch {
            await upload.abandon()
            throw error
        }
    }
}
