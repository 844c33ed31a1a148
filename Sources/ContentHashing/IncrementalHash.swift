import CCrypto

/// An sha256 that is computed while the bytes arrive, by OpenSSL's libcrypto, which uses the processor's instructions
/// for it.
package struct IncrementalHash: ~Copyable, @unchecked Sendable {
    // The context belongs to this value alone, which cannot be copied; so `@unchecked Sendable` holds.
    private let context: OpaquePointer

    /// Begins with no bytes.
    package init() {
        guard let context = spool_sha256_begin() else { preconditionFailure("libcrypto has no memory for an sha256") }
        self.context = context
    }

    deinit { spool_sha256_free(context) }

    /// Adds bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return }
        spool_sha256_update(context, start, bytes.count)
    }

    /// The hash of all bytes so far: 64 lowercase hexadecimal digits. The next byte begins a new hash.
    package mutating func finish() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        spool_sha256_finish(context, &digest)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
