/// The bytes by which the beginning of a file is recognised.
package struct ContainerSignature: Hashable, Sendable {
    /// Bytes at an offset from the beginning of the file.
    struct Part: Hashable, Sendable {
        var offset: Int
        var bytes: [UInt8]
    }

    /// The parts, all of which have to be there.
    private var parts: [Part]
    /// A text that is somewhere in the first 64 bytes; nil if none is required.
    private var text: String?

    /// The number of bytes of a file that decide whether a signature fits.
    package static let reach = 256

    /// - Parameter parts: texts in ASCII by their offset.
    init(_ parts: [Int: String]) {
        self.parts = parts.sorted { $0.key < $1.key }.map { Part(offset: $0.key, bytes: Array($0.value.utf8)) }
    }

    /// - Parameters:
    ///   - bytes: at each of the offsets.
    ///   - text: somewhere in the first 64 bytes.
    init(_ bytes: [UInt8], at offsets: [Int] = [0], with text: String? = nil) {
        parts = offsets.map { Part(offset: $0, bytes: bytes) }
        self.text = text
    }

    /// The number of bytes that have to agree. The longer one of two signatures that fit wins.
    var byteCount: Int { parts.reduce(0) { $0 + $1.bytes.count } + (text?.utf8.count ?? 0) }

    /// Whether a file begins with the signature.
    func fits(_ head: [UInt8]) -> Bool {
        let isInPlace = parts.allSatisfy { head.dropFirst($0.offset).starts(with: $0.bytes) }
        guard isInPlace, let text else { return isInPlace }
        let pattern = Array(text.utf8)
        let first = Array(head.prefix(64))
        guard first.count >= pattern.count else { return false }
        return (0...first.count - pattern.count).contains { first[$0...].starts(with: pattern) }
    }
}
