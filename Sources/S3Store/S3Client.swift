import ArtifactStore
package import BlockingWork
import ExportPlan
import FoundationEssentials
import HTTPClient

/// How often a request is sent, and the pauses between.
package struct S3Retries: Hashable, Sendable {
    package var attempts: Int
    package var backoff: Backoff

    package init(
        attempts: Int = 6, backoff: Backoff = Backoff(first: .milliseconds(200), limit: .seconds(10), jitter: 0.5)
    ) {
        self.attempts = attempts
        self.backoff = backoff
    }
}

/// Sends requests to an S3 service, signed by libcurl or by somebody else, and repeats those whose fault may pass.
struct S3Client: Sendable {
    let settings: S3Settings
    let authorization: S3Authorization
    let connections: Connections
    let retries: S3Retries

    /// Sends a request until the service does what it asks.
    /// - Parameter accepted: statuses besides 2xx that are no fault.
    /// - Throws: `S3Fault` when the service has answered otherwise; `BlobError` or `CancellationError`.
    func send(_ request: S3Request, accepting accepted: Set<Int> = []) async throws -> IncomingResponse {
        var attempt = 1
        var hasNewCredentials = false
        while true {
            let used = try await authorization.credentials()
            do {
                let response = try await sendOnce(request, used)
                if (200...299).contains(response.status) || accepted.contains(response.status) { return response }
                throw try await fault(of: response, request)
            } catch let fault as S3Fault {
                // An answer to HEAD has no document that would name the fault.
                let isOfCredentials =
                    S3Fault.credentialCodes.contains(fault.code)
                    || request.method == "HEAD" && [400, 401, 403].contains(fault.status)
                if isOfCredentials, !hasNewCredentials, await authorization.refused(used) {
                    hasNewCredentials = true
                    continue
                }
                guard fault.isTransient, attempt < retries.attempts else { throw fault }
                try await pause(after: attempt, fault)
                attempt += 1
            }
        }
    }

    /// As `send`, and reads the whole answer. An answer of success that contains an error is a fault, too: some requests
    /// are answered before they are carried out.
    /// - Parameter root: how the name of the document begins that the answer has to have; nil where it need not have any.
    ///   Services do not agree on the end of the names.
    /// - Returns: the answer's document.
    @discardableResult
    func ask(
        _ request: S3Request, _ root: String? = nil
    ) async throws -> (response: IncomingResponse, document: XMLElement?) {
        var attempt = 1
        while true {
            let response = try await send(request)
            do {
                // Spaces come before the document while the service is at work.
                let bytes = try await collect(response, request).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
                let document = XMLElement(document: Array(bytes))
                // The status says that all is well, so only the code counts.
                if document?.name == "Error" {
                    throw S3Fault(status: 200, document: document, retryAfter: nil, subject: subject(request))
                }
                guard root.map({ document?.name.hasPrefix($0) == true }) ?? true else {
                    throw BlobError(
                        .refused, subject: subject(request),
                        message: "cannot be used: its service does not answer as S3 does; correct the endpoint")
                }
                return (response, document)
            } catch let fault as S3Fault {
                guard fault.isTransient, attempt < retries.attempts else { throw fault }
                try await pause(after: attempt, fault)
                attempt += 1
            }
        }
    }

    /// Waits before the next attempt.
    /// - Parameter attempt: the number of attempts so far.
    func pause(after attempt: Int, _ fault: S3Fault) async throws {
        try await Task.sleep(for: max(fault.retryAfter ?? .zero, retries.backoff.pause(before: attempt)))
    }

    /// What a request is about, for messages.
    func subject(_ request: S3Request) -> String { request.key.map { "\(settings.description)/\($0)" } ?? settings.description }

    /// - Parameter credentials: nil where the request's address carries its signature.
    private func sendOnce(_ request: S3Request, _ credentials: S3Credentials?) async throws -> IncomingResponse {
        let outgoing =
            if let credentials, !request.isAddressed { signed(request, credentials) } else { try await addressed(request) }
        do {
            return try await connections.execute(outgoing)
        } catch let error as TransferError {
            throw S3Fault(error, subject: subject(request))
        }
    }

    private func signed(_ request: S3Request, _ credentials: S3Credentials) -> OutgoingRequest {
        let address = request.key.map { settings.address(ofKey: $0) } ?? settings.bucketAddress
        var outgoing = OutgoingRequest(
            request.method, request.query.isEmpty ? address : "\(address)?\(S3Settings.query(request.query))",
            headers: request.headers, body: request.body)
        // A header that libcurl would leave out of the request would be part of its signature, so none is empty.
        outgoing.setHeader("Content-Type", request.contentType)
        outgoing.setHeader("x-amz-content-sha256", request.bodyHash)
        if let token = credentials.sessionToken { outgoing.setHeader("x-amz-security-token", token) }
        outgoing.signature = RequestSignature(
            region: settings.region, service: "s3", accessKey: credentials.accessKey, secretKey: credentials.secretKey)
        return outgoing
    }

    /// A request whose address carries the signature. Its body is not part of it.
    private func addressed(_ request: S3Request) async throws -> OutgoingRequest {
        var outgoing = OutgoingRequest(
            request.method,
            try await authorization.address(of: request.signable, lifetime: S3Authorization.lifetime, settings),
            headers: request.headers, body: request.body)
        outgoing.setHeader("Content-Type", request.contentType)
        return outgoing
    }

    private func fault(of response: IncomingResponse, _ request: S3Request) async throws -> S3Fault {
        let document = XMLElement(document: try await collect(response, request))
        return S3Fault(
            status: response.status, document: document, retryAfter: response.header("Retry-After"), subject: subject(request))
    }

    private func collect(_ response: IncomingResponse, _ request: S3Request) async throws -> [UInt8] {
        do {
            return try await response.body.collect(upTo: 16 << 20)
        } catch let error as TransferError {
            throw S3Fault(error, subject: subject(request))
        }
    }
}
