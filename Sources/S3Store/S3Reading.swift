import ArtifactStore
import ExportPlan
import HTTPClient

/// Reads an object from one offset to another, and goes on where a connection broke.
actor S3Reading {
    private let client: S3Client
    private let key: String
    /// The first answer's entity tag, which all others must have.
    private let version: String
    private var body: ResponseBody?
    private var position: Int64
    private let end: Int64
    private var failures = 0

    /// - Parameters:
    ///   - body: the first answer's, from `position`.
    ///   - end: the offset behind the last wanted byte.
    init(_ client: S3Client, key: String, version: String, body: ResponseBody, position: Int64, end: Int64) {
        self.client = client
        self.key = key
        self.version = version
        self.body = body
        self.position = position
        self.end = end
    }

    /// The next bytes; nil at the end.
    func next() async throws -> [UInt8]? {
        while position < end {
            do {
                let chunk = try await open().makeAsyncIterator().next()
                guard let chunk else {
                    throw S3Fault(TransferError(.connectionClosed, "the answer ended early"), subject: subject)
                }
                let wanted = chunk.prefix(Int(min(Int64(chunk.count), end - position)))
                position += Int64(wanted.count)
                // What came means that the service works again.
                failures = 0
                return Array(wanted)
            } catch let error as TransferError {
                try await retry(S3Fault(error, subject: subject))
            } catch let fault as S3Fault {
                try await retry(fault)
            }
        }
        body = nil
        return nil
    }

    private var subject: String { "\(client.settings.description)/\(key)" }

    private func retry(_ fault: S3Fault) async throws {
        body = nil
        failures += 1
        if fault.status == 412 || fault.status == 404 {
            throw BlobError(.changed, subject: subject, message: "was replaced or removed while it was read")
        }
        guard fault.isTransient, failures < client.retries.attempts else { throw fault.error }
        try await client.pause(after: failures, fault)
    }

    /// The answer that is read from `position` on.
    private func open() async throws -> ResponseBody {
        if let body { return body }
        var request = S3Request("GET", key: key)
        request.headers = [("Range", "bytes=\(position)-\(end - 1)"), ("If-Match", version)]
        let response = try await client.send(request)
        // A service that ignores the range would send the beginning once more.
        guard response.status == 206 || position == 0 else {
            throw BlobError(.refused, subject: subject, message: "cannot be read from an offset: the service has no ranges")
        }
        guard response.header("ETag") == version else {
            throw BlobError(.changed, subject: subject, message: "was replaced while it was read")
        }
        body = response.body
        return response.body
    }
}
