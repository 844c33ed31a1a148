/// A request to an HTTP server.
package struct OutgoingRequest: Sendable {
    /// What is sent after the headers.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A part of a file from an offset on, read while it is sent. The file must keep its size.
        case file(path: String, offset: Int64 = 0, byteCount: Int64)

        /// In bytes.
        var size: Int64 {
            switch self {
            case .none: 0
            case .bytes(let bytes): Int64(bytes.count)
            case .file(_, _, let byteCount): byteCount
            }
        }
    }

    /// The method, in capitals: `GET`, `PUT`.
    package var method: String
    /// An `http` or `https` address, with everything escaped that must be.
    package var url: String
    /// In order; a name may occur several times.
    package var headers: [(name: String, value: String)]
    package var body: Body
    /// The longest time that everything may take, the answer's body included; nil sets no limit.
    package var limit: Duration?
    /// How libcurl signs the request; nil for no signature.
    package var signature: RequestSignature?

    package init(
        _ method: String, _ url: String, headers: [(name: String, value: String)] = [], body: Body = .none,
        limit: Duration? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.limit = limit
    }

    /// Replaces a header, or adds it.
    package mutating func setHeader(_ name: String, _ value: String) {
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        headers.append((name, value))
    }

    /// The name of a header that contains a control character, which could begin another header; nil if there is none.
    var unsafeHeader: String? {
        headers.first { ($0.name + $0.value).utf8.contains { $0 < 0x20 || $0 == 0x7F } }?.name
    }
}

/// The signature of a request to Amazon's services and those that are compatible (AWS Signature Version 4).
///
/// All headers of the request are signed, and none may be empty. The names in the address's query must be in order.
package struct RequestSignature: Hashable, Sendable {
    package var region: String
    /// The service's short name, as in `s3`.
    package var service: String
    package var accessKey: String
    package var secretKey: String

    package init(region: String, service: String, accessKey: String, secretKey: String) {
        self.region = region
        self.service = service
        self.accessKey = accessKey
        self.secretKey = secretKey
    }
}
