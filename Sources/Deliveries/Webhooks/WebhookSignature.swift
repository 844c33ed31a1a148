import ContentHashing
package import Coordinator
package import FoundationEssentials

/// The headers by which a receiver knows that a message comes from the farm, as the Standard Webhooks specification
/// (version 1) has them: an HMAC-SHA256 of id, time and body with each secret that is valid.
package struct WebhookSignature: Hashable, Sendable {
    /// In seconds since 1970.
    package let timestamp: Int64
    /// The value of `webhook-signature`: one signature of each secret, separated by spaces.
    package let text: String
    private let id: String

    /// - Parameters:
    ///   - id: the value of `webhook-id`; it contains no full stop.
    ///   - secrets: the present one, and the former one while it is valid.
    package init(id: String, at time: Date, body: some Collection<UInt8>, secrets: [WebhookSecret]) {
        let timestamp = Int64(time.timeIntervalSince1970)
        let signed = Array("\(id).\(timestamp).".utf8) + Array(body)
        text = secrets.map { secret in
            "v1," + Data(MessageAuthentication.sha256(signed, key: secret.key)).base64EncodedString()
        }.joined(separator: " ")
        self.id = id
        self.timestamp = timestamp
    }

    package var headers: [(name: String, value: String)] {
        [("webhook-id", id), ("webhook-timestamp", "\(timestamp)"), ("webhook-signature", text)]
    }
}
