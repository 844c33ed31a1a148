import CFFmpeg

/// A file that is written from beginning to end.
final class OutputFile {
    private let path: String
    private var context: UnsafeMutablePointer<AVIOContext>?

    /// - Throws: `MediaError` `cannotWrite`.
    init(path: String) throws(MediaError) {
        self.path = path
        LibavLog.begin()
        try LibavResult.check(avio_open(&context, path, AVIO_FLAG_WRITE), path, "cannot be created", .cannotWrite)
    }

    deinit { avio_closep(&context) }

    func write(_ bytes: some Collection<UInt8>) {
        let isWhole: Void? = bytes.withContiguousStorageIfAvailable {
            avio_write(context, $0.baseAddress, Int32($0.count))
        }
        if isWhole == nil { write(Array(bytes)) }
    }

    /// Completes the file and closes it.
    func finish() throws(MediaError) {
        avio_flush(context)
        if let context { try LibavResult.check(context.pointee.error, path, "cannot be written", .cannotWrite) }
        try LibavResult.check(avio_closep(&context), path, "cannot be closed", .cannotWrite)
    }
}
