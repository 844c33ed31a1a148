import CFFmpeg
import ExportPlan
import Glibc

/// A byte stream from a pipe or a file that is read once from start to end. The bytes can be copied to a file
/// unchanged. The descriptors belong to the caller.
final class IncomingStream {
    private let stream: ByteStream<State>

    /// - Parameters:
    ///   - descriptor: the file descriptor to read from.
    ///   - copy: the descriptor of a file that gets all bytes that are read; nil for no copy.
    init(_ descriptor: Int32, copy: Int32?) throws(MediaError) {
        stream = try ByteStream(State(descriptor: descriptor, copy: copy), of: "input", read: takeBytes, seek: nil)
    }

    var context: UnsafeMutablePointer<AVIOContext> { stream.context }

    /// The number of bytes read so far.
    var byteCount: Int { stream.state.pointee.byteCount }

    /// The `errno` of a failed write to the copy; 0 if none failed.
    var copyError: Int32 { stream.state.pointee.copyError }

    /// The `errno` of a failed read; 0 if none failed.
    var readError: Int32 { stream.state.pointee.readError }

    /// Stops copying what is read from now on.
    func stopCopying() { stream.state.pointee.copy = nil }

    /// Reads the rest of the stream, at most `limit` bytes, without parsing it. The index of a file may follow its
    /// media and belongs to the copy.
    func drain(upTo limit: Int) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let end = byteCount + limit
        while byteCount < end, takeBytes(stream.state, &buffer, Int32(buffer.count)) > 0 {}
    }
}

/// The state of the read callback.
private struct State {
    let descriptor: Int32
    var copy: Int32?
    var byteCount = 0
    var copyError: Int32 = 0
    var readError: Int32 = 0
}

private func takeBytes(_ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int32) -> Int32 {
    guard let state = opaque?.assumingMemoryBound(to: State.self), let buffer else { return spool_error_eof }
    var count = -1
    repeat {
        guard !CaptureEnd.isAsked else { return spool_error_eof }
        count = read(state.pointee.descriptor, buffer, Int(size))
    } while count < 0 && errno == EINTR
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
