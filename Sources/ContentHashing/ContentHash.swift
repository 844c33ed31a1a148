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
        /// The system's error number; `EIO` also for a file that ended before its size said.
        public var code: Int32
        /// What the system said.
        public var reason: String

        init(_ code: Int32, _ reason: String? = nil) {
            self.code = code
            self.reason = reason ?? String(cString: strerror(code))
        }
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
        // A named pipe that took the file's place must not make anybody wait for its writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard file >= 0 else { throw ReadError(errno) }
        defer { close(file) }
        return try ofDescriptor(file, progress: progress)
    }

    /// Of an open file, from its beginning; the descriptor's own position is neither used nor moved.
    /// - Parameters:
    ///   - isWanted: asked before each megabyte whether to go on.
    ///   - progress: told the number of bytes read so far, after each megabyte.
    /// - Returns: the hash and the number of bytes that went into it.
    /// - Throws: `ECANCELED` where it is not wanted any more; also when a regular file has fewer bytes than its size says: then the storage lost some of them.
    public static func ofDescriptor(
        _ file: Int32, isWanted: () -> Bool = { true }, progress: (Int) -> Void = { _ in }
    ) throws(ReadError) -> (hash: String, byteCount: Int) {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw ReadError(errno) }
        var hash = SHA256()
        var total = 0
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { piece.deallocate() }
        while true {
            guard isWanted() else { throw ReadError(ECANCELED) }
            let count = pread(file, piece.baseAddress, piece.count, off_t(total))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ReadError(errno) }
            guard count > 0 else { break }
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: piece[..<count]))
            total += count
            progress(total)
        }
        guard total >= Int(status.st_size) else {
            throw ReadError(EIO, "ended after \(total) of \(status.st_size) bytes")
        }
        return (hex(hash.finalize()), total)
    }

    private static func hex(_ digest: SHA256Digest) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
