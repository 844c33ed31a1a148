import ArtifactStore
import ExportPlan
import HTTPClient

/// A part of an upload that the service has.
struct S3Part: Sendable {
    /// From 1.
    var number: Int
    /// The part's entity tag, with its quotation marks.
    var version: String
}

/// An upload in parts: what arrives stays invisible until `complete`.
struct S3Multipart: Sendable {
    private let id: String
    private let key: String
    private let client: S3Client

    init(id: String, key: String, _ client: S3Client) {
        self.id = id
        self.key = key
        self.client = client
    }

    init(begin key: String, _ options: UploadOptions, _ client: S3Client) async throws {
        var request = S3Request("POST", key: key)
        request.query = [("uploads", "")]
        request.contentType = options.contentType
        // Who is cancelled before the answer would not know what to remove, so this is not cancelled.
        let begin = Task { [request] in try await client.ask(request).document?["UploadId"]?.text }
        guard let id = try await begin.value, !id.isEmpty else {
            throw BlobError(
                .refused, subject: client.subject(request), message: "cannot be stored: the service gives its upload no id")
        }
        self.init(id: id, key: key, client)
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
        guard let version = try await client.ask(request).response.header("ETag") else { throw unnamed(number) }
        return S3Part(number: number, version: version)
    }

    private func unnamed(_ number: Int) -> BlobError {
        BlobError(
            .refused, subject: client.subject(request("PUT")),
            message: "cannot be stored: the service does not name part \(number)")
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
            try await client.ask(request)
            return true
        } catch let fault as S3Fault where fault.status == 412 {
            return false
        } catch let fault as S3Fault where fault.code == "NoSuchUpload" {
            // The answer to an earlier attempt may have been lost. Then the object is there, and made of as many parts.
            let response = try await client.send(S3Request("HEAD", key: key), accepting: [404])
            let mark = response.header("ETag")?.filter { $0 != "\"" }.split(separator: "-").last
            guard response.status != 404, mark == "\(parts.count)" else { throw fault }
            return true
        }
    }

    /// Removes the parts. Where that fails, `removeLeftovers` removes them one day.
    func abort() async {
        // The upload's own task may be cancelled, and the parts cost money all the same.
        _ = await Task { try? await client.ask(request("DELETE")) }.value  // see above
    }
}
