import ArtifactStore
import ExportPlan
import FoundationEssentials
import HTTPClient

/// A part of an upload that the service has.
struct S3Part: Sendable {
    /// From 1.
    var number: Int
    /// The part's entity tag, with its quotation marks.
    var version: String
}

/// The mark by which an upload recognises its own object, when the answer that says that it is stored was lost.
struct S3Mark: Hashable, Sendable {
    static let header = "x-amz-meta-spool-upload"

    let text = UUID().uuidString
}

/// The headers of a request that copies another object's bytes.
enum CopySource {
    static let header = "x-amz-copy-source"
    static let version = "x-amz-copy-source-if-match"
    static let range = "x-amz-copy-source-range"
}

/// An upload in parts: what arrives stays invisible until `complete`.
struct S3Multipart: Sendable {
    private let id: String
    private let key: String
    private let mark: S3Mark
    private let client: S3Client

    /// An upload that another program or an earlier run has begun.
    init(id: String, key: String, _ client: S3Client) {
        self.id = id
        self.key = key
        self.client = client
        mark = S3Mark()
    }

    init(begin key: String, _ options: UploadOptions, _ client: S3Client) async throws {
        var request = S3Request("POST", key: key)
        let mark = S3Mark()
        request.query = [("uploads", "")]
        request.contentType = options.contentType
        request.headers = [(S3Mark.header, mark.text)] + options.headers
        // A caller that is cancelled before the answer would not know what to remove, so this request is not cancelled.
        let begin = Task { [request] in
            try await client.ask(request, "InitiateMultipartUpload").document?["UploadId"]?.text
        }
        guard let id = try await begin.value, !id.isEmpty else {
            throw BlobError(
                .refused, subject: client.subject(request), message: "cannot be stored: the service gives its upload no id")
        }
        self.id = id
        self.key = key
        self.mark = mark
        self.client = client
    }

    private func request(_ method: String, number: Int? = nil) -> S3Request {
        var request = S3Request(method, key: key)
        request.query = [("uploadId", id)]
        if let number { request.query.append(("partNumber", "\(number)")) }
        return request
    }

    func put(_ body: OutgoingRequest.Body, hash: String, number: Int) async throws -> S3Part {
        var request = request("PUT", number: number)
        request.body = body
        request.bodyHash = hash
        guard let version = try await client.ask(request).response.header("ETag") else {
            throw BlobError(
                .refused, subject: client.subject(request), message: "cannot be stored: the service does not name part \(number)")
        }
        return S3Part(number: number, version: version)
    }

    /// Makes bytes of another object a part, without sending them.
    /// - Parameters:
    ///   - range: the bytes of the object, at least 5 MiB unless the part is the last, and at most 5 GiB.
    ///   - version: the object's entity tag; another one is refused.
    /// - Throws: `S3Fault`, also where the service does not copy parts.
    func copy(_ range: Range<Int64>, of key: String, version: String, number: Int) async throws -> S3Part {
        var request = request("PUT", number: number)
        request.headers = [
            (CopySource.header, client.settings.copySource(key)), (CopySource.version, version),
            (CopySource.range, "bytes=\(range.lowerBound)-\(range.upperBound - 1)"),
        ]
        // libcurl 7.88 sorts these headers wrongly when it signs them, see `S3Presigning`.
        request.isAddressed = true
        guard let version = try await client.ask(request, "CopyPart").document?["ETag"]?.text else {
            throw BlobError(
                .refused, subject: client.subject(request), message: "cannot be stored: the service does not name part \(number)")
        }
        return S3Part(number: number, version: version)
    }

    /// Makes the parts an object.
    /// - Returns: false where there is an object already, and it is not to be replaced.
    func complete(_ parts: [S3Part], replaces: Bool) async throws -> Bool {
        var request = request("POST")
        let list = parts.sorted { $0.number < $1.number }.map { part in
            "<Part><PartNumber>\(part.number)</PartNumber><ETag>\(part.version.replacing("\"", with: "&quot;"))</ETag></Part>"
        }
        request.contentType = "application/xml"
        request.setBody(
            Array(
                """
                <CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\(list.joined())</CompleteMultipartUpload>
                """.utf8))
        if !replaces { request.headers = [("If-None-Match", "*")] }
        do {
            try await client.ask(request, "CompleteMultipartUpload")
            return true
        } catch let fault as S3Fault where fault.isOccupied || fault.code == "NoSuchUpload" {
            // The answer to an earlier attempt may have been lost.
            let (exists, isOwn) = try await client.look(at: key, for: mark)
            if isOwn { return true }
            guard fault.isOccupied, exists else { throw fault }
            return false
        }
    }

    /// Removes the parts. Where that fails, `removeLeftovers` removes them one day.
    func abort() async {
        // The upload's own task may be cancelled, and the parts cost money all the same.
        _ = await Task { try await remove() }.result  // see above
    }

    /// Removes the parts.
    /// - Throws: `S3Fault` where the service still has them.
    func remove() async throws {
        do {
            try await client.ask(request("DELETE"))
        } catch let fault as S3Fault where fault.code == "NoSuchUpload" {
        }
    }
}

extension S3Client {
    /// Whether an object exists, and whether the upload with this mark has stored it.
    func look(at key: String, for mark: S3Mark) async throws -> (exists: Bool, isOwn: Bool) {
        let response = try await send(S3Request("HEAD", key: key), accepting: [404])
        return (response.status != 404, response.header(S3Mark.header) == mark.text)
    }
}
