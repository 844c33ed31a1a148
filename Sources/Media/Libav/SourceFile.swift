import ContentHashing
package import ExportPlan
import Glibc

/// A regular file that is open for reading. All readers of a source use it, so that one job sees one file even if its
/// name later leads to another.
///
/// Media libraries take a read error for the end of the file. This type remembers the error, and readers check for it
/// (`check`) after every call of a library. `ReadWatch` knows of every call that the storage has not answered. Used by
/// one thread at a time.
package final class SourceFile {
    /// The most bytes of one system call, so that slow storage, too, answers each within the limit of `ReadWatch`.
    package static let chunk = 1 << 20

    package let path: String
    /// The file's identity when it was opened.
    package let identity: FileIdentity
    /// The file descriptor, which stays open as long as this object exists.
    package let descriptor: Int32
    private var failure: MediaError?
    private var timer: ProbeTimer?

    /// Opens the file.
    /// - Parameter canBeEmpty: whether a file of 0 bytes is accepted.
    /// - Throws: `MediaError` `missing`, `unknownFormat` (not a regular file), `damaged` (empty), `cannotRead` or
    ///   `outOfMemory`.
    package convenience init(path: String, canBeEmpty: Bool = false) throws(MediaError) {
        let opened = SourceFile.opened(path)
        guard opened >= 0 else { throw SourceFile.openError(path, errno) }
        try self.init(owning: opened, path, canBeEmpty)
    }

    /// Opens a source: duplicates its descriptor if the job has one, otherwise opens its path.
    /// - Throws: as `init(path:)`.
    package convenience init(_ source: SourceReference) throws(MediaError) {
        let copy = source.descriptor.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? SourceFile.opened(source.path)
        guard copy >= 0 else { throw SourceFile.openError(source.path, errno) }
        try self.init(owning: copy, source.path, false)
    }

    /// Opens without blocking, because opening a pipe would wait for a writer.
    private static func opened(_ path: String) -> Int32 {
        ReadWatch.ofProcess.call(path) { open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    }

    private init(owning descriptor: Int32, _ path: String, _ canBeEmpty: Bool) throws(MediaError) {
        self.path = path
        self.descriptor = descriptor
        var status = stat()
        guard fstat(descriptor, &status) == 0, let identity = FileIdentity(ofDescriptor: descriptor) else {
            let code = errno
            close(descriptor)
            throw SourceFile.readError(path, code, "cannot be examined")
        }
        self.identity = identity
        guard status.st_mode & S_IFMT == S_IFREG else {
            // The object is complete here: `deinit` closes the file.
            throw MediaError(.unknownFormat, subject: path, message: FileKind.complaint(about: path) ?? "is not a regular file")
        }
        guard identity.byteCount > 0 || canBeEmpty else {
            throw MediaError(.damaged, subject: path, message: "is empty (0 bytes)")
        }
    }

    deinit { close(descriptor) }

    package var byteCount: Int { identity.byteCount }

    /// Limits the time of all further reads.
    /// - Parameter now: returns the current time.
    package func limitTime(_ limit: ProbeTimeLimit, now: @escaping () -> ContinuousClock.Instant = { .now }) {
        timer = ProbeTimer(path, byteCount: byteCount, limit, now: now)
    }

    /// - Throws: `MediaError` if the time of the probe is used up; see `ProbeTimer`.
    func checkTime() throws(MediaError) {
        do throws(MediaError) {
            try timer?.check()
        } catch {
            if failure == nil { failure = error }
            throw error
        }
    }

    /// Reads up to `count` bytes from `offset` on.
    /// - Returns: the number of bytes read; 0 only at or after the end.
    /// - Throws: `MediaError` `cannotRead`, also if the file has fewer bytes than its size says, or `outOfMemory`;
    ///   `overLimit` if the time of the probe is used up.
    package func read(_ count: Int, at offset: Int, into bytes: UnsafeMutableRawPointer) throws(MediaError) -> Int {
        guard offset < byteCount else { return 0 }
        while true {
            try checkTime()
            let got = timed {
                ReadWatch.ofProcess.call(path) { pread(descriptor, bytes, min(count, SourceFile.chunk), off_t(offset)) }
            }
            if got > 0 { return got }
            if got < 0, errno == EINTR { continue }
            let error =
                got < 0
                ? SourceFile.readError(path, errno, "cannot be read at byte \(offset)")
                : MediaError(
                    .cannotRead, subject: path,
                    message: "ended after \(offset) of \(byteCount) bytes; check the disk that holds it, and try again")
            if failure == nil { failure = error }
            throw error
        }
    }

    /// Runs a closure that reads the file, and measures its time if time is limited.
    private func timed<Value, Failure: Error>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
        guard let timer else { return try read() }
        return try timer.reading(read)
    }

    /// Reads from `offset` until the buffer is full or the file ends.
    /// - Returns: the number of bytes read.
    /// - Throws: as `read`.
    package func fill(_ bytes: UnsafeMutableRawBufferPointer, from offset: Int) throws(MediaError) -> Int {
        var filled = 0
        while filled < bytes.count, let base = bytes.baseAddress {
            let got = try read(bytes.count - filled, at: offset + filled, into: base + filled)
            if got == 0 { break }
            filled += got
        }
        return filled
    }

    /// - Throws: the first read failure, if there was one.
    func check() throws(MediaError) {
        if let failure { throw failure }
    }

    /// The first `count` bytes of the file, or all if it has fewer.
    /// - Throws: as `read`.
    package func head(_ count: Int) throws(MediaError) -> [UInt8] { try bytes(0..<min(count, byteCount)) }

    /// All bytes of the file.
    /// - Throws: as `read`.
    package func bytes() throws(MediaError) -> [UInt8] { try bytes(0..<byteCount) }

    func bytes(_ range: Range<Int>) throws(MediaError) -> [UInt8] {
        var failure: MediaError?
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
            do throws(MediaError) {
                filled = try fill(UnsafeMutableRawBufferPointer(buffer), from: range.lowerBound)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// The sha256 of all its bytes.
    /// - Throws: as `read`.
    package func contentHash(_ progress: () -> Void = {}) throws(MediaError) -> String {
        do throws(ContentHash.ReadError) {
            // Hashing is so much faster than slow storage that all of its time counts as reading.
            return try timed { () throws(ContentHash.ReadError) in
                try ReadWatch.ofProcess.calls(path) { answered throws(ContentHash.ReadError) in
                    try ContentHash.ofDescriptor(descriptor, isWanted: { timer?.isOver != true }) { _ in
                        answered()
                        progress()
                    }.hash
                }
            }
        } catch {
            try checkTime()
            throw SourceFile.readError(path, error.code, "cannot be read")
        }
    }

    /// Checks that the file is unchanged since it was opened, and that its path still leads to it.
    /// - Throws: `MediaError` `changed`.
    package func checkUnchanged() throws(MediaError) {
        let (now, named) = ReadWatch.ofProcess.call(path) {
            (FileIdentity(ofDescriptor: descriptor), FileIdentity(ofFile: path))
        }
        guard let now, now.isSame(as: identity), let named, named.isSame(as: identity) else { throw SourceFile.changed(path) }
    }

    /// - Parameter known: the file's identity at the time of its probe.
    /// - Throws: `MediaError` `changed`.
    package func checkIs(_ known: FileIdentity) throws(MediaError) {
        guard known.isSame(as: identity) else { throw SourceFile.changed(path) }
    }

    private static func changed(_ path: String) -> MediaError {
        MediaError(
            .changed, subject: path,
            message: "changed while it was used; do not change it until the film is finished, and start the export again")
    }

    private static func openError(_ path: String, _ code: Int32) -> MediaError {
        switch code {
        case ENOENT: MediaError(.missing, subject: path, message: "does not exist")
        case ENOTDIR, ELOOP, ENAMETOOLONG:
            MediaError(.missing, subject: path, message: "cannot be opened: \(String(cString: strerror(code)))")
        // The path leads to a directory, a socket, or a device without a driver.
        case EISDIR, ENXIO, ENODEV:
            MediaError(
                .unknownFormat, subject: path,
                message: FileKind.complaint(about: path) ?? "cannot be opened: \(String(cString: strerror(code)))")
        default: readError(path, code, "cannot be opened")
        }
    }

    private static func readError(_ path: String, _ code: Int32, _ problem: String) -> MediaError {
        MediaError(
            code == ENOMEM ? .outOfMemory : .cannotRead, subject: path,
            message: "\(problem): \(String(cString: strerror(code))); check the disk that holds it, and try again")
    }
}
