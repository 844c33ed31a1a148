import CFFmpeg
import ExportPlan

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An open file as libav reads it: a demuxer sees a stream of bytes and never a path, so nothing inside a file can make libav open
/// another one. Failures to read stay in the file, for libav takes them for the end.
final class SourceStream {
    let file: SourceFile
    private(set) var context: UnsafeMutablePointer<AVIOContext>
    private static let bufferSize: Int32 = 64 * 1024

    /// - Throws: `MediaError` `outOfMemory`.
    init(_ file: SourceFile) throws(MediaError) {
        self.file = file
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State(file: file))
        guard let buffer = av_malloc(Int(SourceStream.bufferSize)),
            let made = avio_alloc_context(
                buffer.assumingMemoryBound(to: UInt8.self), SourceStream.bufferSize, 0, state, readBytes, nil, seekBytes)
        else {
            state.deinitialize(count: 1)
            state.deallocate()
            throw MediaError(.outOfMemory, subject: file.path, message: "needs more memory than there is")
        }
        context = made
    }

    deinit {
        // libav may have replaced the buffer it was given: free the one it has now.
        let state = context.pointee.opaque?.assumingMemoryBound(to: State.self)
        av_freep(&context.pointee.buffer)
        var pointer: UnsafeMutablePointer<AVIOContext>? = context
        avio_context_free(&pointer)
        state?.deinitialize(count: 1)
        state?.deallocate()
    }
}

/// What the two callbacks share.
private struct State {
    let file: SourceFile
    var position = 0
}

private func readBytes(_ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int32) -> Int32 {
    guard let state = opaque?.assumingMemoryBound(to: State.self), let buffer else { return spool_error_eof }
    do throws(MediaError) {
        let count = try state.pointee.file.read(Int(size), at: state.pointee.position, into: buffer)
        state.pointee.position += count
        return count > 0 ? Int32(count) : spool_error_eof
    } catch {
        return error.code == .outOfMemory ? spool_error_no_memory : spool_error_io
    }
}

private func seekBytes(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    guard let state = opaque?.assumingMemoryBound(to: State.self) else { return -1 }
    let size = Int64(state.pointee.file.byteCount)
    let start: Int64
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return size
    case SEEK_SET: start = 0
    case SEEK_CUR: start = Int64(state.pointee.position)
    case SEEK_END: start = size
    default: return -1
    }
    let (place, overflows) = start.addingReportingOverflow(offset)
    // A damaged file may name any place.
    guard !overflows, place >= 0 else { return Int64(spool_error_from_errno(EINVAL)) }
    state.pointee.position = Int(place)
    return place
}
