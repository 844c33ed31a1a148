import CFFmpeg

/// A file that is written from beginning to end.
package final class OutputFile {
    /// The most bytes of one call of libavformat, which counts them with 32 bits.
    private static let block = 1 << 30

    private let path: String
    private var context: UnsafeMutablePointer<AVIOContext>?

    /// - Throws: `MediaError` `cannotWrite`.
    package init(path: String) throws(MediaError) {
        self.path = path
        LibavLog.begin()
        try LibavResult.check(avio_open(&context, path, AVIO_FLAG_WRITE), path, "cannot be created", .cannotWrite)
    }

    deinit { avio_closep(&context) }

    package func write(_ bytes: some Collection<UInt8>) {
        let isWhole: Void? = bytes.withContiguousStorageIfAvailable { buffer in
            for start in stride(from: 0, to: buffer.count, by: OutputFile.block) {
                avio_write(
                    context, buffer.baseAddress.map { $0 + start }, Int32(min(OutputFile.block, buffer.count - start)))
            }
        }
        if isWhole == nil { write(Array(bytes)) }
    }

    /// Completes the file and closes it.
    package func finish() throws(MediaError) {
        avio_flush(context)
        if let context { try LibavResult.check(context.pointee.error, path, "cannot be written", .cannotWrite) }
        try LibavResult.check(avio_closep(&context), path, "cannot be closed", .cannotWrite)
    }
}
