/// Writes boxes of an ISO base media file (ISO/IEC 14496-12).
struct BoxWriter {
    private(set) var bytes: [UInt8] = []

    /// Writes a box around what `content` writes.
    /// - Returns: where the box begins.
    @discardableResult
    mutating func box(_ type: String, _ content: (inout BoxWriter) -> Void) -> Int {
        let start = bytes.count
        write(0, bytes: 4)
        write(type)
        content(&self)
        replace(at: start, with: bytes.count - start)
        return start
    }

    /// Writes a box that begins with a version and flags.
    @discardableResult
    mutating func fullBox(_ type: String, version: Int = 0, flags: Int = 0, _ content: (inout BoxWriter) -> Void = { _ in })
        -> Int
    {
        box(type) { writer in
            writer.write(version << 24 | flags, bytes: 4)
            content(&writer)
        }
    }

    /// Writes a number, the most significant byte first. A negative one is written as its two's complement.
    mutating func write(_ number: Int, bytes count: Int) {
        for shift in stride(from: (count - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    mutating func write(_ text: String) { bytes += Array(text.utf8) }
    mutating func write(_ more: some Sequence<UInt8>) { bytes += more }
    mutating func write(zeros count: Int) { bytes += [UInt8](repeating: 0, count: count) }

    /// Replaces a number of 4 bytes.
    mutating func replace(at position: Int, with number: Int) {
        for offset in 0..<4 { bytes[position + offset] = UInt8(truncatingIfNeeded: number >> (24 - 8 * offset)) }
    }
}
