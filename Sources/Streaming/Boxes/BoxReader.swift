/// A box of an ISO base media file (ISO/IEC 14496-12, section 4.2): its type, and where its content is in the bytes that
/// were read.
struct Box: Hashable, Sendable {
    var type: String
    var content: Range<Int>
}

/// Reads boxes and numbers from bytes of an ISO base media file. Nothing is read beyond the end of a box.
struct BoxReader {
    let bytes: [UInt8]

    /// The boxes that follow each other in a range.
    /// - Throws: `StreamFault` where a box ends beyond the range.
    func boxes(in range: Range<Int>) throws(StreamFault) -> [Box] {
        var found: [Box] = []
        var position = range.lowerBound
        while position < range.upperBound {
            guard range.upperBound - position >= 8 else { throw StreamFault("a box has fewer than 8 bytes") }
            var size = try number(at: position, bytes: 4)
            let type = String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self)
            var head = 8
            if size == 1 {
                guard range.upperBound - position >= 16 else { throw StreamFault("the box '\(type)' has no size") }
                size = try number(at: position + 8, bytes: 8)
                head = 16
            }
            guard size >= head, size <= range.upperBound - position else {
                throw StreamFault("the box '\(type)' does not end where the box around it does")
            }
            found.append(Box(type: type, content: (position + head)..<(position + size)))
            position += size
        }
        return found
    }

    /// The only box of a type in a range, at a path of types.
    func box(_ path: String..., in range: Range<Int>) throws(StreamFault) -> Box {
        var place = Box(type: "", content: range)
        for type in path {
            guard let next = try boxes(in: place.content).first(where: { $0.type == type }) else {
                throw StreamFault("the file has no box '\(type)'")
            }
            place = next
        }
        return place
    }

    /// A number of 1 to 8 bytes, the most significant first.
    /// - Throws: `StreamFault` where the bytes end before, or the number is beyond the range of `Int`.
    func number(at position: Int, bytes count: Int) throws(StreamFault) -> Int {
        guard position >= 0, position + count <= bytes.count else { throw StreamFault("the file ends within a number") }
        var value: UInt64 = 0
        for index in position..<(position + count) { value = value << 8 | UInt64(bytes[index]) }
        guard let number = Int(exactly: value) else { throw StreamFault("a number of the file is too large") }
        return number
    }

    /// A number of 4 bytes with a sign.
    func signedNumber(at position: Int) throws(StreamFault) -> Int {
        Int(Int32(truncatingIfNeeded: try number(at: position, bytes: 4)))
    }
}
