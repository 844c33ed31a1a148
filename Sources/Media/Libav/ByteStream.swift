import CFFmpeg
import ExportPlan

/// A libav byte stream whose bytes come from this program. It owns libav's context, the context's buffer, and the state
/// that the callbacks share, and frees each of them once.
///
/// The file formats' readers use it, so that libav gets bytes and never a path. A user keeps it for as long as libav
/// has the context.
final class ByteStream<State> {
    /// Reads up to `size` bytes into a buffer, and returns their number, or an AVERROR code; `AVERROR_EOF` at the end.
    typealias Read =
        @convention(c) (_ state: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int32) -> Int32
    /// Moves to an offset, and returns the new position or an AVERROR code; see `avio_alloc_context`.
    typealias Seek = @convention(c) (_ state: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64

    let context: UnsafeMutablePointer<AVIOContext>
    /// The state, which the callbacks get as their first argument.
    let state: UnsafeMutablePointer<State>

    /// - Parameters:
    ///   - state: the state at the beginning.
    ///   - subject: the name of the stream's source, for messages.
    ///   - seek: nil for a stream that can only be read from start to end.
    /// - Throws: `MediaError` `outOfMemory`.
    init(_ state: State, of subject: String, read: Read, seek: Seek?) throws(MediaError) {
        let size: Int32 = 64 * 1024
        let shared = UnsafeMutablePointer<State>.allocate(capacity: 1)
        shared.initialize(to: state)
        var buffer = av_malloc(Int(size))
        guard
            let made = buffer.flatMap({ buffer in
                avio_alloc_context(buffer.assumingMemoryBound(to: UInt8.self), size, 0, shared, read, nil, seek)
            })
        else {
            av_freep(&buffer)
            shared.deinitialize(count: 1)
            shared.deallocate()
            throw MediaError(.outOfMemory, subject: subject, message: "needs more memory than there is")
        }
        if seek == nil { made.pointee.seekable = 0 }
        context = made
        self.state = shared
    }

    deinit {
        // libav may have replaced the buffer that it was given, so this frees the current one.
        av_freep(&context.pointee.buffer)
        var pointer: UnsafeMutablePointer<AVIOContext>? = context
        avio_context_free(&pointer)
        state.deinitialize(count: 1)
        state.deallocate()
    }
}
