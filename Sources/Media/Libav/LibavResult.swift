import CFFmpeg
import ExportPlan
import Glibc

/// Turns libav's return codes into errors that say what failed on which file.
enum LibavResult {
    /// libav's description of a code.
    static func text(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        av_strerror(code, &buffer, buffer.count)
        return buffer.withUnsafeBufferPointer { buffer in
            String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    /// The codes of storage failures. Files are read through `SourceFile`, which remembers its own failures, so these
    /// codes come from files that are written.
    private static let storageCodes: Set<Int32> = Set(
        [EIO, ENOSPC, EFBIG, EDQUOT, EACCES, EROFS, EMFILE, ENFILE, ESTALE, ETIMEDOUT, ENOTCONN].map(spool_error_from_errno))

    /// The error for a code. `fallback` is the error code if the code itself does not determine one.
    static func error(_ code: Int32, _ subject: String, _ doing: String, _ fallback: MediaErrorCode) -> MediaError {
        let kind: MediaErrorCode =
            switch code {
            case spool_error_no_memory: .outOfMemory
            case _ where storageCodes.contains(code): .cannotWrite
            case spool_error_decoder_not_found: .missingCodec
            default: fallback
            }
        let detail = LibavLog.lastLine.map { " (\($0))" } ?? ""
        return MediaError(kind, subject: subject, message: "\(doing): \(text(code))\(detail)")
    }

    /// Returns a code that is not negative, and throws the error of a negative one.
    @discardableResult
    static func check(
        _ code: Int32, _ subject: String, _ doing: String, _ fallback: MediaErrorCode = .internalFailure
    ) throws(MediaError) -> Int32 {
        if code < 0 { throw error(code, subject, doing, fallback) }
        return code
    }

    /// Unwraps the result of an allocation, which is nil only if memory is exhausted.
    static func allocated<T>(_ pointer: T?, _ subject: String) throws(MediaError) -> T {
        guard let pointer else { throw MediaError(.outOfMemory, subject: subject, message: "needs more memory than there is") }
        return pointer
    }
}

extension AVRational {
    var rational: (numerator: Int64, denominator: Int64) { (Int64(num), Int64(den)) }
}
