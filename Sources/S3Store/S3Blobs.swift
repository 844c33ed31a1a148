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
    private let hashing = BlockingPool(name: "s3 hash", threads: 4, waiting: 1024, waitingPerLane: 1024)

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

    // MARK: Writing

    package func upload(_ path: String, as name: BlobName, _ options: UploadOptions) async throws -> Bool {
        if let shared = options.shared, let isStored = try await upload(path, sharing: shared, as: name, options) {
            return isStored
        }
        let file = try status(of: path)
        let size = Int64(file.st_size)
        guard size > sizes.part else {
            let hash = try await hash(of: path, 0..<size)
            return try await answering { try await put(.file(path: path, byteCount: size), hash: hash, as: name, options) }
        }
        return try await upload(path, file, in: PlannedPart.parts(of: size, sharing: [], sizes), as: name, options)
    }

    /// Stores a file of which another object has bytes.
    /// - Returns: nil where all bytes have to be sent: the object is not what it was, nothing is worth a copy, or the
    ///   service does not copy parts as this needs it.
    private func upload(
        _ path: String, sharing shared: SharedBytes, as name: BlobName, _ options: UploadOptions
    ) async throws -> Bool? {
        let file = try status(of: path)
        let size = Int64(file.st_size)
        let parts = PlannedPart.parts(of: size, sharing: shared.runs, sizes)
        guard parts.contains(where: { $0.offset != nil }) else { return nil }
        do {
            guard try await info(of: shared.blob)?.version == shared.version else { return nil }
            let isStored = try await upload(path, file, in: parts, as: name, options)
            guard isStored else { return false }
            // A service that copies more than it was asked for makes another object.
            return try await info(of: name)?.byteCount == size ? true : nil
        } catch let error as BlobError where error.code != .cannotRead {
            return nil
        }
    }

    /// Stores a file in parts.
    /// - Parameter file: what is known of the file, which must not change meanwhile.
    private func upload(
        _ path: String, _ file: stat, in planned: [PlannedPart], as name: BlobName, _ options: UploadOptions
    ) async throws -> Bool {
        try await inParts(name, options) { upload in
            try await withThrowingTaskGroup(of: S3Part.self) { group in
                var parts: [S3Part] = []
                for (index, part) in planned.enumerated() {
                    if index >= S3Blobs.partsAtOnce, let part = try await group.next() { parts.append(part) }
                    group.addTask {
                        let range = part.range
                        if let shared = options.shared, let offset = part.offset {
                            let source = offset..<offset + (range.upperBound - range.lowerBound)
                            return try await upload.copy(
                                source, of: shared.blob.text, version: shared.version, number: index + 1)
                        }
                        let hash = try await hash(of: path, range)
                        let body = OutgoingRequest.Body.file(
                            path: path, offset: range.lowerBound, byteCount: range.upperBound - range.lowerBound)
                        return try await upload.put(body, hash: hash, number: index + 1)
                    }
                }
                for try await part in group { parts.append(part) }
                guard try status(of: path).isSameFile(as: file) else {
                    throw BlobError(.cannotRead, subject: path, message: "was changed while it was uploaded")
                }
                return parts
            }
        }
    }

    /// - Throws: `BlobError` `cannotRead`, also for what is no regular file.
    private func status(of path: String) throws(BlobError) -> stat {
        var status = stat()
        let code = stat(path, &status) == 0 ? 0 : errno
        guard code == 0, status.st_mode & S_IFMT == S_IFREG else {
            let reason = code == 0 ? "it is no regular file" : String(cString: strerror(code))
            throw BlobError(.cannotRead, subject: path, message: "cannot be read: \(reason)")
        }
        return status
    }

    package func beginUpload(as name: BlobName, _ options: UploadOptions) async throws -> any BlobUpload {
        S3Upload(self, name, options)
    }

    /// Stores an object with one request.
    func put(
        _ body: OutgoingRequest.Body, hash: String, as name: BlobName, _ options: UploadOptions
    ) async throws -> Bool {
        var request = S3Request("PUT", key: name.text)
        request.body = body
        request.bodyHash = hash
        request.contentType = options.contentType
        let mark = S3Mark()
        request.headers = [(S3Mark.header, mark.text)] + options.headers
        guard !options.replaces else {
            _ = try await client.send(request)
            return true
        }
        request.headers.append(("If-None-Match", "*"))
        do {
            _ = try await client.send(request)
            return true
        } catch let fault as S3Fault where fault.isOccupied {
            // The object may be this one, stored by a request whose answer was lost.
            let (exists, isOwn) = try await client.look(at: name.text, for: mark)
            guard exists else { throw fault }
            return isOwn
        }
    }

    /// Begins an upload in parts, and ends it: by an object, or without a trace where `body` or the end fails.
    private func inParts(
        _ name: BlobName, _ options: UploadOptions, _ body: @Sendable (S3Multipart) async throws -> [S3Part]
    ) async throws -> Bool {
        try await answering {
            let upload = try await S3Multipart(begin: name.text, options, client)
            do {
                let parts = try await body(upload)
                if try await upload.complete(parts, replaces: options.replaces) { return true }
            } catch {
                await upload.abort()
                throw error
            }
            await upload.abort()
            return false
        }
    }

    private func hash(of path: String, _ range: Range<Int64>) async throws -> String {
        do {
            return try await hashing.run(lane: 0) { try FilePart.hash(of: path, range) }
        } catch is BlockingPool.Full {
            throw BlobError(.unavailable, subject: path, message: "cannot be read now: too many files are read at a time")
        }
    }

    package func copy(_ name: BlobName, to other: BlobName) async throws -> Bool {
        guard let found = try await info(of: name) else { return false }
        guard found.byteCount > sizes.copy else {
            return try await answering {
                var request = S3Request("PUT", key: other.text)
                request.headers = [(CopySource.header, settings.copySource(name.text))]
                try await client.ask(request, "CopyObject")
                return true
            }
        }
        // The service copies larger objects only in parts.
        let whole = [SharedBytes.Run(range: 0..<found.byteCount, offset: 0)]
        let parts = PlannedPart.parts(of: found.byteCount, sharing: whole, sizes)
        return try await inParts(other, UploadOptions()) { upload in
            try await withThrowingTaskGroup(of: S3Part.self) { group in
                var copies: [S3Part] = []
                for (index, part) in parts.enumerated() {
                    if index >= S3Blobs.partsAtOnce, let copy = try await group.next() { copies.append(copy) }
                    group.addTask {
                        try await upload.copy(part.range, of: name.text, version: found.version, number: index + 1)
                    }
                }
                for try await copy in group { copies.append(copy) }
                return copies
            }
        }
    }

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
    private func answering<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        do {
            return try await body()
        } catch let fault as S3Fault {
            throw fault.error
        }
    }
}

extension stat {
    /// Whether a second look at a path has found the same file, unchanged.
    fileprivate func isSameFile(as other: stat) -> Bool {
        st_dev == other.st_dev && st_ino == other.st_ino && st_size == other.st_size
            && st_mtim.tv_sec == other.st_mtim.tv_sec && st_mtim.tv_nsec == other.st_mtim.tv_nsec
    }
}
