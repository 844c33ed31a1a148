import Glibc

/// The sha256 that names every source and artifact: 64 lowercase hexadecimal digits.
package enum ContentHash {
    /// A file that could not be read to its end.
    package struct ReadError: Error, Equatable {
        /// The system's error number; `EIO` also for a file with fewer bytes than its size.
        package var code: Int32
        /// The reason in words.
        package var reason: String

        package init(_ code: Int32, _ reason: String? = nil) {
            self.code = code
            self.reason = reason ?? String(cString: strerror(code))
        }
    }

    /// The hash of bytes in memory.
    package static func of(_ bytes: some Sequence<UInt8>) -> String {
        var hash = IncrementalHash()
        Array(bytes).withUnsafeBytes { hash.update($0) }
        return hash.finish()
    }

    /// The hash of a file, read chunk by chunk.
    /// - Parameter progress: called with the number of bytes read so far, after each megabyte.
    /// - Returns: the hash and the number of bytes that were read.
    package static func ofFile(
        _ path: String, progress: (Int) -> Void = { _ in }
    ) throws(ReadError) -> (hash: String, byteCount: Int) {
        // Without O_NONBLOCK, opening a named pipe that has replaced the file would wait for a writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard file >= 0 else { throw ReadError(errno) }
        defer { close(file) }
        return try ofDescriptor(file, progress: progress)
    }

    /// The hash of an open file, from its beginning. The descriptor's own position is neither used nor changed.
    /// - Parameters:
    ///   - isWanted: called before each megabyte; false cancels.
    ///   - progress: called with the number of bytes read so far, after each megabyte.
    /// - Returns: the hash and the number of bytes that were read.
    /// - Throws: `ReadError`; its code is `ECANCELED` when `isWanted` is false, and `EIO` when a file has fewer bytes
    ///   than its size, because the storage lost some of them.
    package static func ofDescriptor(
        _ file: Int32, isWanted: () -> Bool = { true }, progress: (Int) -> Void = { _ in }
    ) throws(ReadError) -> (hash: String, byteCount: Int) {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw ReadError(errno) }
        var hash = IncrementalHash()
        var total = 0
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { chunk.deallocate() }
        while true {
            guard isWanted() else { throw ReadError(ECANCELED) }
            let count = pread(file, chunk.baseAddress, chunk.count, off_t(total))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ReadError(errno) }
            guard count > 0 else { break }
            hash.update(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            total += count
            progress(total)
        }
        guard total >= Int(status.st_size) else {
            throw ReadError(EIO, "ended after \(total) of \(status.st_size) bytes")
        }
        return (hash.finish(), total)
    }
}
