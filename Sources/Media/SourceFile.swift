import ContentHashing
public import ExportPlan

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A regular file, open for reading: what all readers of a source work on, so that one job sees one file whatever happens to its
/// name.
///
/// Libraries between here and a reader take a read error for the end of the file. It is remembered here, and readers ask for it
/// (`check`) whenever a library says anything at all. Used by one thread at a time.
public final class SourceFile {
    public let path: String
    /// As it was when it was opened.
    public let identity: FileIdentity
    /// Stays open as long as this object lives.
    public let descriptor: Int32
    private var failure: MediaError?
    private var timer: ProbeTimer?

    /// Opens the file.
    /// - Parameter canBeEmpty: whether a file without any byte is one, too.
    /// - Throws: `MediaError` `missing`, `unknownFormat` (not a regular file), `damaged` (empty), `cannotRead` or `outOfMemory`.
    public convenience init(path: String, canBeEmpty: Bool = false) throws(MediaError) {
        let opened = SourceFile.opened(path)
        guard opened >= 0 else { throw SourceFile.openError(path, errno) }
        try self.init(owning: opened, path, canBeEmpty)
    }

    /// The source's open file where the job has one, else its file, opened.
    /// - Throws: as `init(path:)`.
    public convenience init(_ source: SourceReference) throws(MediaError) {
        let copy = source.descriptor.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? SourceFile.opened(source.path)
        guard copy >= 0 else { throw SourceFile.openError(source.path, errno) }
        try self.init(owning: copy, source.path, false)
    }

    /// A pipe would wait for somebody to write into it.
    private static func opened(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }

    private init(owning descriptor: Int32, _ path: String, _ canBeEmpty: Bool) throws(MediaError) {
        self.path = path
        self.descriptor = descriptor
        var status = stat()
        guard fstat(descriptor, &status) == 0, let identity = FileIdentity(ofDescriptor: descriptor) else {
            let code = errno
            close(descriptor)
            throw SourceFile.readError(path, code, "cannot be looked at")
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

    public var byteCount: Int { identity.byteCount }

    /// From now on whoever reads has only so much time.
    /// - Parameter now: the time.
    package func limitTime(_ limit: ProbeTimeLimit, now: @escaping () -> ContinuousClock.Instant = { .now }) {
        timer = ProbeTimer(path, byteCount: byteCount, limit, now: now)
    }

    /// - Throws: `MediaError` where the time is over that there is to look at the file: see `ProbeTimer`.
    func checkTime() throws(MediaError) {
        do throws(MediaError) {
            try timer?.check()
        } catch {
            if failure == nil { failure = error }
            throw error
        }
    }

    /// Reads up to `count` bytes from `offset` on.
    /// - Returns: how many were read; 0 only at the end or behind it.
    /// - Throws: `MediaError` `cannotRead`, also where the file has fewer bytes than its size says, or `outOfMemory`; `overLimit` where there
    ///   is no more time to look at it.
    public func read(_ count: Int, at offset: Int, into bytes: UnsafeMutableRawPointer) throws(MediaError) -> Int {
        guard offset < byteCount else { return 0 }
        while true {
            try checkTime()
            let got = timed { pread(descriptor, bytes, count, off_t(offset)) }
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

    /// Does what reads the file; its time counts where time is limited.
    private func timed<Value, Failure: Error>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
        guard let timer else { return try read() }
        return try timer.reading(read)
    }

    /// Reads from `offset` on until there is no room any more, or the file ends.
    /// - Returns: how many bytes were read.
    /// - Throws: as `read`.
    public func fill(_ bytes: UnsafeMutableRawBufferPointer, from offset: Int) throws(MediaError) -> Int {
        var filled = 0
        while filled < bytes.count, let base = bytes.baseAddress {
            let got = try read(bytes.count - filled, at: offset + filled, into: base + filled)
            if got == 0 { break }
            filled += got
        }
        return filled
    }

    /// - Throws: the first failure to read, if there has been one.
    func check() throws(MediaError) {
        if let failure { throw failure }
    }

    /// The file's first bytes: `count`, or all where it has fewer.
    /// - Throws: as `read`.
    public func head(_ count: Int) throws(MediaError) -> [UInt8] { try bytes(0..<min(count, byteCount)) }

    /// All of the file.
    /// - Throws: as `read`.
    public func bytes() throws(MediaError) -> [UInt8] { try bytes(0..<byteCount) }

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
    public func contentHash(_ progress: () -> Void = {}) throws(MediaError) -> String {
        do throws(ContentHash.ReadError) {
            // Hashing is so much faster than slow storage that all of its time counts as reading.
            return try timed { () throws(ContentHash.ReadError) in
                try ContentHash.ofDescriptor(descriptor, isWanted: { timer?.isOver != true }) { _ in progress() }.hash
            }
        } catch {
            try checkTime()
            throw SourceFile.readError(path, error.code, "cannot be read")
        }
    }

    /// Whether it still is what it was when it was opened, and still is what its path leads to.
    /// - Throws: `MediaError` `changed`.
    public func checkUnchanged() throws(MediaError) {
        guard let now = FileIdentity(ofDescriptor: descriptor), now.isSame(as: identity),
            let named = FileIdentity(ofFile: path), named.isSame(as: identity)
        else { throw SourceFile.changed(path) }
    }

    /// - Parameter known: the file's identity when it was probed.
    /// - Throws: `MediaError` `changed`.
    public func checkIs(_ known: FileIdentity) throws(MediaError) {
        guard known.isSame(as: identity) else { throw SourceFile.changed(path) }
    }

    private static func changed(_ path: String) -> MediaError {
        MediaError(
            .changed, subject: path,
            message: "changed while it was used; leave it alone until the film is finished, and start the export again")
    }

    private static func openError(_ path: String, _ code: Int32) -> MediaError {
        switch code {
        case ENOENT: MediaError(.missing, subject: path, message: "does not exist")
        case ENOTDIR, ELOOP, ENAMETOOLONG:
            MediaError(.missing, subject: path, message: "cannot be opened: \(String(cString: strerror(code)))")
        // A socket, or a device without a driver.
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
