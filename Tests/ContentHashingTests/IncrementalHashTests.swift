import ContentHashing
import Testing

@Suite("An sha256")
struct IncrementalHashTests {
    /// The examples of FIPS 180-4, as NIST publishes them with the standard.
    @Test(
        "The standard's examples have the standard's hashes",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func examples(_ text: String, _ hash: String) {
        #expect(ContentHash.of(text.utf8) == hash)
    }

    @Test("Bytes in any number of parts have the hash of the whole", arguments: [1, 7, 64, 1000])
    func parts(_ size: Int) {
        let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var hash = IncrementalHash()
        var rest = bytes[...]
        while !rest.isEmpty {
            rest.prefix(size).withUnsafeBytes { hash.update($0) }
            rest = rest.dropFirst(size)
        }
        #expect(hash.finish() == ContentHash.of(bytes))
    }

    @Test("After its end a hash begins anew")
    func again() {
        var hash = IncrementalHash()
        Array("left over".utf8).withUnsafeBytes { hash.update($0) }
        _ = hash.finish()
        Array("abc".utf8).withUnsafeBytes { hash.update($0) }
        #expect(hash.finish() == ContentHash.of("abc".utf8))
    }
}
