import FoundationEssentials

/// A webhook's secret in the form of the Standard Webhooks specification: `whsec_` and the key in base64.
package struct WebhookSecret: Hashable, Sendable {
    package static let prefix = "whsec_"
    /// How many bytes a key may have.
    package static let sizes = 24...64

    package let text: String
    package let key: [UInt8]

    /// Makes a secret with 256 random bits.
    package init() {
        var random = SystemRandomNumberGenerator()
        key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        text = WebhookSecret.prefix + Data(key).base64EncodedString()
    }

    /// - Returns: nil for a text that is no secret.
    package init?(_ text: String) {
        guard text.hasPrefix(WebhookSecret.prefix),
            let data = Data(base64Encoded: String(text.dropFirst(WebhookSecret.prefix.count))),
            WebhookSecret.sizes.contains(data.count)
        else { return nil }
        self.text = text
        key = Array(data)
    }
}
