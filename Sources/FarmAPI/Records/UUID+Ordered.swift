import FoundationEssentials

extension UUID {
    /// A UUID of version 7 (RFC 9562, 5.7): 48 bits of milliseconds since 1970, then 74 random bits. UUIDs of different
    /// milliseconds are in the order of time.
    static func ordered(at time: Date) -> UUID {
        var random = SystemRandomNumberGenerator()
        let milliseconds = UInt64(max(0, time.timeIntervalSince1970 * 1000)) & 0xFFFF_FFFF_FFFF
        let high = milliseconds << 16 | 0x7000 | random.next() & 0x0FFF
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * index)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
                byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5),
                byte(low, 6), byte(low, 7)
            ))
    }
}
