import Glibc

/// A file as chunks that begin where its content says so, and not at fixed offsets: bytes that are inserted or removed
/// change the chunks around them, and all others stay the same. So two files are compared by the hashes of their chunks,
/// also where equal bytes lie at different offsets.
///
/// A chunk ends after the byte at which a hash of the last 64 bytes ("gear hash" in Xia et al., "FastCDC", USENIX ATC
/// 2016, section 3) has zeros in its 16 highest bits, which is once in 64 KiB on average.
package enum ContentChunks {
    /// A chunk of a file.
    package struct Chunk: Hashable, Sendable {
        /// At least 1.
        package var byteCount: Int64
        /// The sha256 of its bytes.
        package var hash: String

        package init(byteCount: Int64, hash: String) {
            self.byteCount = byteCount
            self.hash = hash
        }
    }

    /// No chunk is shorter, except the last one of a file.
    package static let shortest = 64 << 10
    /// No chunk is longer.
    package static let longest = 1 << 20
    private static let endBits: UInt64 = 0xFFFF << 48
    /// How many of the last bytes the hash depends on.
    private static let window = 64

    /// The chunks of an open file, from its beginning. The descriptor's own position is neither used nor changed.
    /// - Parameter isWanted: called before each read of some megabytes; false cancels.
    /// - Throws: `ReadError`; its code is `ECANCELED` when `isWanted` is false.
    package static func ofDescriptor(
        _ file: Int32, isWanted: () -> Bool = { true }
    ) throws(ContentHash.ReadError) -> [Chunk] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 8 * longest, alignment: 64)
        defer { buffer.deallocate() }
        var chunks: [Chunk] = []
        // The bytes of the buffer that belong to no chunk yet, and how many of the file's were read.
        var (rest, position) = (0..<0, 0)
        var isAtEnd = false
        while true {
            if rest.count < longest, !isAtEnd {
                UnsafeMutableRawBufferPointer(rebasing: buffer[..<rest.count]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: buffer[rest]))
                rest = 0..<rest.count
            }
            while rest.count < longest, !isAtEnd {
                guard isWanted() else { throw ContentHash.ReadError(ECANCELED) }
                let free = UnsafeMutableRawBufferPointer(rebasing: buffer[rest.upperBound...])
                let count = pread(file, free.baseAddress, free.count, off_t(position))
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw ContentHash.ReadError(errno) }
                isAtEnd = count == 0
                rest = rest.lowerBound..<rest.upperBound + count
                position += count
            }
            guard !rest.isEmpty else { return chunks }
            let length = length(UnsafeRawBufferPointer(rebasing: buffer[rest]))
            var hash = IncrementalHash()
            hash.update(UnsafeRawBufferPointer(rebasing: buffer[rest.lowerBound..<rest.lowerBound + length]))
            chunks.append(Chunk(byteCount: Int64(length), hash: hash.finish()))
            rest = rest.lowerBound + length..<rest.upperBound
        }
    }

    /// The length of the chunk with which bytes begin: all of them where none ends before.
    private static func length(_ bytes: UnsafeRawBufferPointer) -> Int {
        let end = min(bytes.count, longest)
        guard end > shortest else { return end }
        return gears.withUnsafeBufferPointer { gears in
            var hash: UInt64 = 0
            for place in shortest - window..<end {
                hash = hash << 1 &+ gears[Int(bytes[place])]
                if place + 1 >= shortest, hash & endBits == 0 { return place + 1 }
            }
            return end
        }
    }

    /// A random number for each byte, from "SplitMix64" (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
    /// Generators", 2014). With other numbers no chunk of a file would be one that was noted before.
    private static let gears: [UInt64] = (1...256).map { number in
        var bits = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}
