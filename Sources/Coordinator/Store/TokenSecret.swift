import ContentHashing

/// A token's secret: `spool_` and 256 random bits.
package enum TokenSecret {
    /// A new secret.
    package static func make() -> String {
        var random = SystemRandomNumberGenerator()
        let words = (0..<4).map { _ in random.next() }
        return "spool_" + words.map { String(repeating: "0", count: $0.leadingZeroBitCount / 4) + String($0, radix: 16) }.joined()
    }

    /// The hash that the database stores instead of the secret.
    package static func hash(_ secret: String) -> String { ContentHash.of(secret.utf8) }
}
