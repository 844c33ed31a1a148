package import ArtifactStore
import BlockingWork
import ContentHashing
import ExportPlan
package import FoundationEssentials
import Glibc
import Vocabulary
import HTTPClient

/// Blobs as objects of a bucket of an S3 service, by its REST API ("Amazon Simple Storage Service API Reference").
///
/// A file of more than one part is uploaded in parts, several at a time, and appears when all are there. The service
/// checks each request's bytes by their sha256. Small files are one request.
package struct S3Blobs: BlobStore {
    /// Sizes at which objects are split; others are for tests.
    package struct Sizes: Sendable {
        /// The bytes of a part of an upload; the service wants at least 5 MiB, but for the last.
        package var part: Int64 = 16 << 20
        /// The greatest number of parts.
        package var partCount: Int64 = 10_000
        /// The fewest bytes of a part that is not the last.
        package var smallestPart: Int64 = 5 << 20
        /// The largest object that the service copies with one request.
        package var copy: Int64 = 5 << 30
        /// The most bytes of a part that is copied. A service says nothing until it has copied them.
        package var copiedPart: Int64 = 256 << 20

        package init() {}
    }

    package let settings: S3Settings
    let client: S3Client
    let sizes: Sizes
    /// Hashes files, which may wait for their disk.
    let hashing = BlockingPool(name: "s3 hash", threads: 4, waiting: 1024, waitingPerLane: 1024)

    /// How many parts of an upload are on their way at a time.
    static let partsAtOnce = 4

    /// - Parameter silence: the longest time without a byte in either direction before a request counts as broken.
    package init(
        _ settings: S3Settings, _ source: S3CredentialSource, silence: Duration = .seconds(30), sizes: Sizes = Sizes(),
        retries: S3Retries = S3Retries()
    ) {
        let connections = Connections(silence: silence)
        self.init(settings, .keys(S3CredentialCache(source, connections)), connections, sizes, retries)
    }

    /// A store for a client without keys.
    package init(
        _ settings: S3Settings, signer: any S3Signer, silence: Duration = .seconds(30), sizes: Sizes = Sizes(),
        retries: S3Retries = S3Retries()
    ) {
        self.init(settings, .signer(signer), Connections(silence: silence), sizes, retries)
    }

    private init(
        _ settings: S3Settings, _ authorization: S3Authorization, _ connections: Connections, _ sizes: Sizes,
        _ retries: S3Retries
    ) {
        self.settings = settings
        self.sizes = sizes
        client = S3Client(settings: settings, authorization: authorization, connections: connections, retries: retries)
    }

    // MARK: Reading

    package func info(of name: BlobName) async throws -> BlobInfo? {
        try await answering {
            let response = try await client.send(S3Request("HEAD", key: name.text), accepting: [404])
            guard response.status != 404 else {
                // An answer to HEAD has no body that would say whether the object is missing or the whole bucket.
                try await confirmBucket()
                return nil
            }
            return try info(of: response, name, byteCount: response.header("Content-Length"))
        }
    }

    package func read(_ name: BlobName, range: Range<Int64>?) async throws -> BlobReader? {
        try await answering {
            var request = S3Request("GET", key: name.text)
            if let range {
                guard !range.isEmpty else { return try await info(of: name).map { BlobReader($0) { nil } } }
                request.headers = [("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")]
            }
            let response: IncomingResponse
            do {
                response = try await client.send(request, accepting: [416])
            } catch let fault as S3Fault where fault.code == "NoSuchKey" {
                return nil
            }
            // The range begins behind the end.
            guard response.status != 416 else { return try await info(of: name).map { BlobReader($0) { nil } } }
            let isPart = response.status == 206
            let whole = isPart ? response.header("Content-Range")?.split(separator: "/").last.map(String.init) : nil
            let info = try info(of: response, name, byteCount: isPart ? whole : response.header("Content-Length"))
            let start = range?.lowerBound ?? 0
            guard isPart || start == 0 else {
                throw S3Fault(
                    status: 400, document: nil, retryAfter: nil, subject: "\(settings.description)/\(name)")
            }
            let reading = S3Reading(
                client, key: name.text, version: info.version, body: response.body, position: start,
                end: min(range?.upperBound ?? info.byteCount, info.byteCount))
            return BlobReader(info) { try await reading.next() }
        }
    }

    package func download(_ name: BlobName, to path: String, sha256: String?) async throws -> BlobInfo? {
        let file = try LocalFile(creating: path)
        do {
            for attempt in 1...2 {
                guard let reader = try await read(name, range: nil) else {
                    await file.remove()
                    return nil
                }
                try await file.restart()
                for try await chunk in reader { try await file.write(chunk) }
                let hash = try await file.finish()
                guard let sha256, sha256 != hash else { return reader.info }
                guard attempt == 1 else { break }
            }
        } catch {
            await file.remove()
            throw error
        }
        await file.remove()
        throw BlobError(
            .damaged, subject: "\(settings.description)/\(name)",
            message: "is damaged: its bytes have not the checksum \(sha256 ?? "")")
    }

    /// Reads what the headers of an answer say about an object.
    private func info(of response: IncomingResponse, _ name: BlobName, byteCount: String?) throws -> BlobInfo {
        guard let byteCount = byteCount.flatMap({ Int64($0) }), byteCount >= 0, let version = response.header("ETag") else {
            throw BlobError(
                .refused, subject: "\(settings.description)/\(name)",
                message: "cannot be read: the service does not say its size and its version")
        }
        return BlobInfo(
            byteCount: byteCount, version: version,
            storedAt: response.header("Last-Modified").flatMap { S3Times.date(http: $0) } ?? Date(timeIntervalSince1970: 0))
    }

    /// - Throws: `S3Fault` where the bucket does not exist.
    private func confirmBucket() async throws {
        var request = S3Request("GET")
        request.query = [("list-type", "2"), ("max-keys", "1"), ("prefix", settings.prefix)]
        try await client.ask(request, "ListBucket")
    }

    // MARK: Removing

    package func remove(_ names: [BlobName]) async throws {
        try await answering {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, name) in names.enumerated() {
                    if index >= 8 { try await group.next() }
                    group.addTask { _ = try await client.ask(S3Request("DELETE", key: name.text)) }
                }
                try await group.waitForAll()
            }
        }
    }

    // MARK: Lists

    package func list(_ prefix: String, after: BlobName?, limit: Int) async throws -> [BlobListing] {
        try await answering {
            var last = after.map { settings.prefix + $0.text }
            while true {
                var request = S3Request("GET")
                request.query = [
                    // Names may have characters that a document cannot have.
                    ("encoding-type", "url"), ("list-type", "2"), ("max-keys", "\(min(max(limit, 1), 1000))"),
                    ("prefix", settings.prefix + prefix),
                ]
                if let last { request.query.append(("start-after", last)) }
                let document = try await client.ask(request, "ListBucket").document
                let isEscaped = document?["EncodingType"]?.text == "url"
                let contents = document?.all("Contents") ?? []
                let keys = contents.map { content in
                    content["Key"].map { isEscaped ? S3Settings.unescaped($0.text) : $0.text } ?? ""
                }
                let found = zip(contents, keys).compactMap { listing($0, key: $1) }
                // Objects that others have put there may have names that are none here.
                guard found.isEmpty, document?["IsTruncated"]?.text == "true", let key = keys.last else {
                    return found
                }
                last = key
            }
        }
    }

    private func listing(_ element: XMLElement, key: String) -> BlobListing? {
        guard let name = withoutPrefix(key).flatMap({ BlobName($0) }),
            let size = element["Size"].flatMap({ Int64($0.text) }),
            let version = element["ETag"]?.text, let time = element["LastModified"].flatMap({ S3Times.date(iso8601: $0.text) })
        else { return nil }
        return BlobListing(name: name, info: BlobInfo(byteCount: size, version: version, storedAt: time))
    }

    /// A key without the store's prefix; nil for the key of another program. Keys are bytes, and not characters.
    private func withoutPrefix(_ key: String) -> String? {
        guard key.utf8.starts(with: settings.prefix.utf8) else { return nil }
        return String(decoding: key.utf8.dropFirst(settings.prefix.utf8.count), as: UTF8.self)
    }

    package func removeLeftovers(olderThan age: Duration) async throws -> Int {
        let old = try await unfinishedUploads().filter { -$0.begun.timeIntervalSinceNow >= age / .seconds(1) }
        try await answering {
            for upload in old { try await S3Multipart(id: upload.id, key: upload.name, client).remove() }
        }
        return old.count
    }

    /// An upload in parts that has not ended.
    package struct UnfinishedUpload: Hashable, Sendable {
        /// The object's key without the store's prefix.
        package var name: String
        package var id: String
        package var begun: Date
    }

    /// The uploads in parts that the service has, of whatever program.
    package func unfinishedUploads() async throws -> [UnfinishedUpload] {
        try await answering {
            var found: [UnfinishedUpload] = []
            var marker: (key: String, id: String)?
            repeat {
                var request = S3Request("GET")
                request.query = [("uploads", ""), ("prefix", settings.prefix)]
                if let marker { request.query += [("key-marker", marker.key), ("upload-id-marker", marker.id)] }
                let document = try await client.ask(request, "ListMultipartUploads").document
                for upload in document?.all("Upload") ?? [] {
                    guard let name = (upload["Key"]?.text).flatMap(withoutPrefix), let id = upload["UploadId"]?.text,
                        let begun = upload["Initiated"].flatMap({ S3Times.date(iso8601: $0.text) })
                    else { continue }
                    found.append(UnfinishedUpload(name: name, id: id, begun: begun))
                }
                marker = nil
                if document?["IsTruncated"]?.text == "true", let key = document?["NextKeyMarker"]?.text,
                    let id = document?["NextUploadIdMarker"]?.text
                {
                    marker = (key, id)
                }
            } while marker != nil
            return found
        }
    }

    package func address(of request: BlobRequest, lifetime: Duration) async throws -> String? {
        try await client.authorization.address(of: request, lifetime: lifetime, settings)
    }

    /// Turns the faults of requests into errors for callers.
    func answering<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        do {
            return try await body()
        } catch let fault as S3Fault {
            throw fault.error
        }
    }
}
