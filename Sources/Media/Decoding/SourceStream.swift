import CFFmpeg
import ExportPlan
import Glibc

/// An open file as a libav byte stream. A demuxer sees a stream of bytes and never a path, so nothing inside a file can
/// make libav open another file. `SourceFile` remembers read failures, because libav takes them for the end of the
/// file.
final class SourceStream {
    let file: SourceFile
    private let stream: ByteStream<State>

    /// - Throws: `MediaError` `outOfMemory`.
    init(_ file: SourceFile) throws(MediaError) {
        self.file = file
        stream = try ByteStream(State(file: file), of: file.path, read: readBytes, seek: seekBytes)
    }

    var context: UnsafeMutablePointer<AVIOContext> { stream.context }
}

/// The state that the two callbacks share.
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
    // A damaged file may request any position.
    guard !overflows, place >= 0 else { return Int64(spool_error_from_errno(EINVAL)) }
    state.pointee.position = Int(place)
    return place
}
