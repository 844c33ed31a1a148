import CCrypto

/// Codes that only who knows a key can make.
package enum MessageAuthentication {
    /// The HMAC-SHA256 (RFC 2104) of a message: 32 bytes.
    package static func sha256(_ message: some Sequence<UInt8>, key: some Sequence<UInt8>) -> [UInt8] {
        let (message, key) = (Array(message), Array(key))
        var code = [UInt8](repeating: 0, count: 32)
        spool_hmac_sha256(key, key.count, message, message.count, &code)
        return code
    }
}
