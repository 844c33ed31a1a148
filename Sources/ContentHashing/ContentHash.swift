import Crypto

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// sha256, the name of every source and every artifact: 64 lowercase hexadecimal digits.
public enum ContentHash {
    /// A file that could not be read to its end.
    public struct ReadError: Error, Equatable {
        /// What the system said.
        public var reason: String
    }

    /// Of bytes in memory.
    public static func of(_ bytes: some Sequence<UInt8>) -> String {
        hex(SHA256.hash(data: Array(bytes)))
    }

    /// Of a file, read in pieces.
    /// - Parameter progress: told the number of bytes read so far, after each megabyte.
    /// - Returns: the hash and the number of bytes that went into it.
    public static func ofFile(
        _ path: String, progress: (Int) -> Void = { _ in }
    ) throws(ReadError) -> (hash: String, byteCount: Int) {
        guard let file = fopen(path, "rbe") else { throw ReadError(reason: String(cString: strerror(errno))) }
        defer { fclose(file) }
        var hash = SHA256()
        var total = 0
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { piece.deallocate() }
        while true {
            let count = fread(piece.baseAddress, 1, piece.count, file)
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: piece[..<count]))
            total += count
            progress(total)
            if count < piece.count { break }
        }
        guard ferror(file) == 0 else { throw ReadError(reason: String(cString: strerror(errno))) }
        return (hex(hash.finalize()), total)
    }

    private static func hex(_ digest: SHA256Digest) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
