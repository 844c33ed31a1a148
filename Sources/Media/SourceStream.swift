import CFFmpeg
import ExportPlan
import ExactTime

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An open file that a demuxer reads through: the demuxer sees a stream of bytes and never a path, so nothing inside a
/// file can make libav open another one.
final class SourceStream {
    let path: String
    let byteCount: Int64
    private(set) var context: UnsafeMutablePointer<AVIOContext>
    private let descriptor: Int32
    private static let bufferSize: Int32 = 64 * 1024

    /// - Throws: `MediaError` `missing` or `damaged` (an empty file).
    init(path: String) throws(MediaError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SourceStream.openError(path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw MediaError(.unknownFormat, subject: path, message: "is not a regular file")
        }
        guard status.st_size > 0 else {
            close(descriptor)
            throw MediaError(.damaged, subject: path, message: "is empty (0 bytes)")
        }
        self.path = path
        byteCount = Int64(status.st_size)
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State(descriptor: descriptor, byteCount: byteCount))
        guard let buffer = av_malloc(Int(SourceStream.bufferSize)),
            let made = avio_alloc_context(
                buffer.assumingMemoryBound(to: UInt8.self), SourceStream.bufferSize, 0, state, readBytes, nil, seekBytes)
        else {
            close(descriptor)
            state.deallocate()
            throw MediaError(.outOfMemory, subject: path, message: "needs more memory than there is")
        }
        context = made
    }

    deinit {
        // libav may have replaced the buffer it was given: free the one it has now.
        let state = context.pointee.opaque
        av_freep(&context.pointee.buffer)
        var pointer: UnsafeMutablePointer<AVIOContext>? = context
        avio_context_free(&pointer)
        state?.assumingMemoryBound(to: State.self).deallocate()
        close(descriptor)
    }

    private static func openError(_ path: String) -> MediaError {
        let reason = String(cString: strerror(errno))
        return MediaError(
            .missing, subject: path, message: errno == ENOENT ? "does not exist" : "cannot be opened: \(reason)")
    }
}

/// What the two callbacks share.
private struct State {
    let descriptor: Int32
    let byteCount: Int64
    var position: Int64 = 0
}

private func readBytes(_ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int32) -> Int32 {
    guard let state = opaque?.assumingMemoryBound(to: State.self), let buffer else { return spool_error_eof }
    while true {
        let count = pread(state.pointee.descriptor, buffer, Int(size), off_t(state.pointee.position))
        if count > 0 {
            state.pointee.position += Int64(count)
            return Int32(count)
        }
        if count == 0 { return spool_error_eof }
        if errno != EINTR { return spool_error_from_errno(errno) }
    }
}

private func seekBytes(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    guard let state = opaque?.assumingMemoryBound(to: State.self) else { return -1 }
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return state.pointee.byteCount
    case SEEK_SET: state.pointee.position = offset
    case SEEK_CUR: state.pointee.position += offset
    case SEEK_END: state.pointee.position = state.pointee.byteCount + offset
    default: return -1
    }
    return state.pointee.position
}
