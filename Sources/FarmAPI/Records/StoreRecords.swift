package import FoundationEssentials

/// The farm's bucket, as a worker without keys has to know it.
package struct StoreReport: Hashable, Sendable, Codable {
    /// `s3://bucket/prefix`.
    package var address: String
    package var region: String
    /// The service's address without a path.
    package var endpoint: String
    /// Where addresses have the bucket: `path` or `virtualHost`.
    package var style: String

    package init(address: String, region: String, endpoint: String, style: String) {
        self.address = address
        self.region = region
        self.endpoint = endpoint
        self.style = style
    }
}

/// The body that asks for the address of a request to the bucket.
package struct StoreRequest: StrictBody, Hashable {
    package enum Method: String, Hashable, Sendable, Codable, CaseIterable {
        case get = "GET"
        case head = "HEAD"
        case put = "PUT"
        case post = "POST"
        case delete = "DELETE"
    }

    package var method: Method
    /// The file's name in the store; nil for the bucket itself.
    package var name: String?
    /// Names and values of the query.
    package var query: [String: String]?
    /// The request's headers whose names begin with `x-amz-`.
    package var headers: [String: String]?

    package init(_ method: Method, name: String?, query: [String: String] = [:], headers: [String: String] = [:]) {
        self.method = method
        self.name = name
        self.query = query.isEmpty ? nil : query
        self.headers = headers.isEmpty ? nil : headers
    }

    package static let fields: Set<String> = ["method", "name", "query", "headers"]
}

/// An address that carries the signature of one request.
package struct SignedAddress: Hashable, Sendable, Codable {
    package var address: String
    /// When a request has to begin at the latest.
    package var expiresAt: Date

    package init(_ address: String, expiresAt: Date) {
        self.address = address
        self.expiresAt = expiresAt
    }
}
