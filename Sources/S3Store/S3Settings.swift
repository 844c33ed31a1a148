package import ArtifactStore
import ExportPlan
import Vocabulary
import FoundationEssentials

/// Where a bucket is, and how it is addressed.
package struct S3Settings: Hashable, Sendable {
    package enum Style: String, Hashable, Sendable, CaseIterable {
        /// The bucket is the first part of the path, as most services other than Amazon's need it.
        case path
        /// The bucket is the first part of the host's name.
        case virtualHost
    }

    package var bucket: String
    /// What the keys of all blobs begin with; empty, or ending with a slash.
    package var prefix: String
    package var region: String
    /// The service's address without a path, as in `https://minio.example:9000`.
    package var endpoint: String
    package var style: Style

    /// - Parameters:
    ///   - address: `s3://bucket` or `s3://bucket/prefix`.
    ///   - endpoint: nil for Amazon's service in the region.
    ///   - style: nil for `virtualHost` at Amazon's service and `path` at others.
    /// - Throws: `BlobError` `invalidSettings`.
    package init(
        _ address: String, region: String = "us-east-1", endpoint: String? = nil, style: Style? = nil
    ) throws(BlobError) {
        func invalid(_ message: String) -> BlobError { BlobError(.invalidSettings, subject: address, message: message) }
        guard address.hasPrefix("s3://") else { throw invalid("is no address of a bucket; write it as s3://bucket/prefix") }
        let parts = address.dropFirst(5).split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        guard let bucket = parts.first, S3Settings.isBucket(bucket) else {
            throw invalid("names no bucket; a bucket's name has 3 to 63 small letters, digits, dots and hyphens")
        }
        guard S3Settings.isRegion(region) else {
            throw invalid("cannot be used with the region '\(region)', which has to be a name such as 'eu-central-1'")
        }
        let rest = parts.dropFirst().joined(separator: "/")
        guard rest.isEmpty || BlobName(rest) != nil, rest.utf8.count <= 200 else {
            throw invalid("has a prefix that cannot begin names; it may have 200 bytes, and no part '.' or '..'")
        }
        self.bucket = bucket
        prefix = rest.isEmpty ? "" : rest + "/"
        self.region = region
        self.endpoint =
            try endpoint.map { text throws(BlobError) in try S3Settings.endpoint(text) }
            ?? "https://s3.\(region).amazonaws.com"
        // A bucket's name with dots does not match the service's TLS certificate.
        self.style = style ?? (endpoint == nil && !bucket.contains(".") ? .virtualHost : .path)
    }

    /// The store's address for messages: `s3://bucket/prefix`, without the slash at the end.
    package var description: String { "s3://\(bucket)\(prefix.isEmpty ? "" : "/" + prefix.dropLast())" }

    /// The address of the bucket itself.
    package var bucketAddress: String {
        switch style {
        case .path: return "\(endpoint)/\(bucket)"
        case .virtualHost:
            guard let scheme = endpoint.firstRange(of: "://") else { return endpoint }
            return endpoint[..<scheme.upperBound] + "\(bucket).\(endpoint[scheme.upperBound...])/"
        }
    }

    /// The address of an object. The signature is made over exactly this form.
    /// - Parameter key: without the prefix.
    package func address(ofKey key: String) -> String {
        let bucket = bucketAddress
        return (bucket.hasSuffix("/") ? bucket : bucket + "/") + (prefix + key).percentEncoded(keeping: "/")
    }

    /// An object as the source of a copy, as the header `x-amz-copy-source` has it.
    /// - Parameter key: without the prefix.
    package func copySource(_ key: String) -> String { "/\(bucket)/\((prefix + key).percentEncoded(keeping: "/"))" }

    /// The text that was escaped as `encoding-type=url` of lists says.
    static func unescaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func endpoint(_ text: String) throws(BlobError) -> String {
        guard let parts = URLComponents(string: text), ["http", "https"].contains(parts.scheme), let host = parts.host,
            !host.isEmpty, parts.user == nil, parts.query == nil, ["", "/"].contains(parts.path)
        else {
            // The address is not repeated, because it may contain a password.
            throw BlobError(
                .invalidSettings, subject: "endpoint",
                message: "is no address of an S3 service; write it as https://host:port, without a path and without keys")
        }
        var address = text.hasSuffix("/") ? String(text.dropLast()) : text
        // Clients leave the port of the scheme out of the header that is signed.
        let port = parts.scheme == "https" ? ":443" : ":80"
        if address.hasSuffix(port) { address = String(address.dropLast(port.count)) }
        return address
    }

    private static func isBucket(_ text: String) -> Bool {
        (3...63).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
    }

    private static func isRegion(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 40
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-")
            }
    }
}
