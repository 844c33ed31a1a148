package import ArtifactStore
import ContentHashing
import ExportPlan
package import FoundationEssentials
import Vocabulary

/// Addresses that carry their signature, so that who has one needs no credentials: "Authenticating requests: using query
/// parameters (AWS Signature Version 4)" of the S3 API reference. libcurl signs requests, and not addresses.
extension S3Settings {
    /// The address of a request. Its body is not part of the signature.
    /// - Parameters:
    ///   - lifetime: from `now`, in whole seconds, 1 s...7 days.
    package func presigned(
        _ request: BlobRequest, lifetime: Duration, _ credentials: S3Credentials, at now: Date
    ) -> String {
        let time = S3Settings.timestamp(now)
        let day = String(time.prefix(8))
        let scope = "\(day)/\(region)/s3/aws4_request"
        var query = [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", "\(credentials.accessKey)/\(scope)"),
            ("X-Amz-Date", time), ("X-Amz-Expires", "\(min(max(lifetime.components.seconds, 1), 7 * 86400))"),
        ]
        if let token = credentials.sessionToken { query.append(("X-Amz-Security-Token", token)) }
        let address = request.name.map { self.address(ofKey: $0.text) } ?? bucketAddress
        let place = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
        let path = place.firstIndex(of: "/") ?? place.endIndex
        var headers = request.headers.map { (name: $0.key.lowercased(), value: S3Settings.signable($0.value)) }
        headers.append((name: "host", value: String(place[..<path])))
        headers.sort { $0.name < $1.name }
        let names = headers.map(\.name).joined(separator: ";")
        query.append(("X-Amz-SignedHeaders", names))
        let words = S3Settings.query(query + request.query.map { ($0.key, $0.value) })
        let canonical =
            [request.method, String(place[path...]), words] + headers.map { "\($0.name):\($0.value)" }
            + ["", names, "UNSIGNED-PAYLOAD"]
        let text = ["AWS4-HMAC-SHA256", time, scope, ContentHash.of(canonical.joined(separator: "\n").utf8)]
        var secret = Array("AWS4\(credentials.secretKey)".utf8)
        for word in [day, region, "s3", "aws4_request"] { secret = MessageAuthentication.sha256(word.utf8, key: secret) }
        let signature = MessageAuthentication.sha256(text.joined(separator: "\n").utf8, key: secret)
        let digits = signature.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "\(address)?\(words)&X-Amz-Signature=\(digits)"
    }

    /// The value of a header as it is signed: without spaces at its ends, and with single ones within.
    private static func signable(_ value: String) -> String { value.split(separator: " ").joined(separator: " ") }

    /// Names and values as the query of an address, in the order in which they have to be signed.
    static func query(_ values: [(name: String, value: String)]) -> String {
        values.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
            .map { "\($0.name.percentEncoded())=\($0.value.percentEncoded())" }.joined(separator: "&")
    }

    /// A time as signatures have it: `20260102T030405Z`.
    private static func timestamp(_ date: Date) -> String {
        let text: String = date.formatted(.iso8601)
        return text.filter { $0 != "-" && $0 != ":" }
    }
}
