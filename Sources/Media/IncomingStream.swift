import CFFmpeg
import ExportPlan

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Bytes on their way in, from a pipe or a file, read once from start to end. What has been read may be kept in a file, byte for
/// byte. Owns libav's context; the descriptors are the caller's.
final class IncomingStream {
    private(set) var context: UnsafeMutablePointer<AVIOContext>
    private static let bufferSize: Int32 = 64 * 1024

    /// - Parameters:
    ///   - descriptor: is read.
    ///   - copy: a file that takes everything that is read; nil keeps nothing.
    init(_ descriptor: Int32, copy: Int32?) throws(MediaError) {
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State(descriptor: descriptor, copy: copy))
        guard let buffer = av_malloc(Int(IncomingStream.bufferSize)),
            let made = avio_alloc_context(
                buffer.assumingMemoryBound(to: UInt8.self), IncomingStream.bufferSize, 0, state, takeBytes, nil, nil)
        else {
            state.deallocate()
            throw MediaError(.outOfMemory, subject: "input", message: "needs more memory than there is")
        }
        made.pointee.seekable = 0
        context = made
    }

    deinit {
        let state = context.pointee.opaque
        av_freep(&context.pointee.buffer)
        var pointer: UnsafeMutablePointer<AVIOContext>? = context
        avio_context_free(&pointer)
        state?.assumingMemoryBound(to: State.self).deallocate()
    }

    private var state: UnsafeMutablePointer<State>? { context.pointee.opaque?.assumingMemoryBound(to: State.self) }

    /// How many bytes have come.
    var byteCount: Int { state?.pointee.byteCount ?? 0 }

    /// Why the copy could not be written; 0 while it could.
    var copyError: Int32 { state?.pointee.copyError ?? 0 }

    /// Why nothing more could be read; 0 where the end came by itself.
    var readError: Int32 { state?.pointee.readError ?? 0 }

    /// Keeps nothing of what comes from now on.
    func stopCopying() { state?.pointee.copy = nil }

    /// Reads on without looking at what comes, for as long as a file's index may follow.
    func drain(upTo limit: Int) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let end = byteCount + limit
        while byteCount < end, takeBytes(context.pointee.opaque, &buffer, Int32(buffer.count)) > 0 {}
    }
}

/// What the callback works on.
private struct State {
    let descriptor: Int32
    var copy: Int32?
    var byteCount = 0
    var copyError: Int32 = 0
    var readError: Int32 = 0
}

private func takeBytes(_ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int32) -> Int32 {
    guard let state = opaque?.assumingMemoryBound(to: State.self), let buffer else { return spool_error_eof }
    var count = read(state.pointee.descriptor, buffer, Int(size))
    while count < 0, errno == EINTR { count = read(state.pointee.descriptor, buffer, Int(size)) }
    guard count != 0 else { return spool_error_eof }
    guard count > 0 else {
        state.pointee.readError = errno
        return spool_error_from_errno(errno)
    }
    state.pointee.byteCount += count
    guard let copy = state.pointee.copy else { return Int32(count) }
    var written = 0
    while written < count {
        let step = write(copy, buffer + written, count - written)
        if step < 0, errno == EINTR { continue }
        guard step > 0 else {
            state.pointee.copyError = errno
            return spool_error_from_errno(errno)
        }
        written += step
    }
    return Int32(count)
}
