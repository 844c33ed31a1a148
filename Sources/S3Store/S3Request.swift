import ArtifactStore
import ContentHashing
import ExportPlan
import HTTPClient

/// A request to an S3 service before it is signed.
struct S3Request: Sendable {
    var method: String
    /// The object's key without the store's prefix; nil for the bucket.
    var key: String?
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var contentType = "application/octet-stream"
    var body = OutgoingRequest.Body.none
    /// The sha256 of the body, with which the service checks what arrives.
    var bodyHash = ContentHash.of([])
    /// Whether the signature is part of the address, and not a header, also where this client has keys.
    var isAddressed = false

    init(_ method: String, key: String? = nil) {
        self.method = method
        self.key = key
    }

    mutating func setBody(_ bytes: [UInt8]) {
        body = .bytes(bytes)
        bodyHash = ContentHash.of(bytes)
    }
}

extension UploadOptions {
    /// The headers of a request that stores an object, besides its type.
    var headers: [(name: String, value: String)] {
        (cacheControl.map { [("Cache-Control", $0)] } ?? [])
            + metadata.sorted { $0.key < $1.key }.map { ("x-amz-meta-\($0.key)", $0.value) }
    }
}

/// What an S3 service answers when it does not do what it was asked.
struct S3Fault: Error {
    /// The service's word for it, as in `NoSuchKey`; empty where the service did not answer at all.
    var code: String
    /// The HTTP status; 0 where there is none.
    var status: Int
    /// What it means for the caller, when no further attempt is made.
    var error: BlobError
    /// Whether the same request may succeed later.
    var isTransient: Bool
    /// How long the service asks to wait.
    var retryAfter: Duration?
}

extension S3Fault {
    /// The faults of which the S3 API reference ("Error responses") says that the request may be repeated, and damage on
    /// the way.
    private static let transientCodes: Set<String> = [
        "InternalError", "ServiceUnavailable", "SlowDown", "RequestTimeout", "OperationAborted", "BadDigest",
        "XAmzContentSHA256Mismatch", "IncompleteBody", "Throttling", "RequestLimitExceeded",
    ]
    /// The faults of credentials that others may not have.
    static let credentialCodes: Set<String> = [
        "ExpiredToken", "InvalidAccessKeyId", "InvalidToken", "TokenRefreshRequired", "SignatureDoesNotMatch", "AccessDenied",
        "InvalidClientTokenId",
    ]

    /// - Parameters:
    ///   - document: the answer's body.
    ///   - subject: what the request was about, for the message.
    init(status: Int, document: XMLElement?, retryAfter: String?, subject: String) {
        let code = document?["Code"]?.text ?? ""
        self.code = code
        self.status = status
        self.retryAfter = retryAfter.flatMap { Int($0) }.map { .seconds(min(max($0, 0), 60)) }
        isTransient = status >= 500 && status != 501 || [408, 429].contains(status) || S3Fault.transientCodes.contains(code)
        let words = [code, document?["Message"]?.text ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
        let reason = words.isEmpty ? "status \(status)" : words
        error =
            switch (code, status) {
            case ("NoSuchBucket", _):
                BlobError(.noStore, subject: subject, message: "cannot be used, because there is no such bucket; create it first")
            case ("RequestTimeTooSkewed", _):
                BlobError(
                    .denied, subject: subject,
                    message: "was refused, because this machine's clock differs from the service's; set the clock (\(reason))")
            case ("PermanentRedirect", _), ("AuthorizationHeaderMalformed", _), (_, 301), (_, 307):
                BlobError(
                    .refused, subject: subject,
                    message:
                        "is in another region or at another endpoint; set the region and the endpoint of the bucket (\(reason))")
            case (_, 401), (_, 403):
                BlobError(
                    .denied, subject: subject,
                    message: "was refused; check the credentials and what they allow (\(reason))")
            case _ where status >= 500 || status == 429 || S3Fault.transientCodes.contains(code):
                BlobError(.unavailable, subject: subject, message: "cannot be reached: the service answers \(reason)")
            default: BlobError(.refused, subject: subject, message: "was refused: \(reason)")
            }
    }

    /// Whether there is an object already, or another upload of it ends at the same time, where none was to be replaced.
    var isOccupied: Bool {
        status == 412 || code == "PreconditionFailed" || code == "ConditionalRequestConflict"
    }

    /// - Parameter transfer: why there is no complete answer.
    init(_ transfer: TransferError, subject: String) {
        code = ""
        status = 0
        switch transfer.code {
        case .unreadableFile: (isTransient, error) = (false, BlobError(.cannotRead, subject: subject, message: transfer.message))
        case .invalidRequest, .noLibrary, .untrustedCertificate, .notTLS, .forbiddenAddress,
            .tooManyRedirects:
            (isTransient, error) = (false, BlobError(.unavailable, subject: subject, message: "cannot be reached: \(transfer)"))
        case .noSuchHost, .connectionRefused, .connectionTimedOut, .cannotConnect, .tlsFailed, .timedOut, .connectionClosed,
            .tooLarge, .other:
            (isTransient, error) = (true, BlobError(.unavailable, subject: subject, message: "cannot be reached: \(transfer)"))
        }
    }
}
