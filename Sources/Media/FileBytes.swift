import CFFmpeg
import ExportPlan

/// A picture file's bytes in memory, for libraries that read from there. Owns them; they stay where they are.
final class FileBytes {
    let path: String
    let buffer: UnsafeMutableRawBufferPointer

    /// - Throws: `MediaError` `missing`, `unknownFormat` (not a regular file), `damaged` (empty) or `overLimit`.
    init(path: String) throws(MediaError) {
        self.path = path
        let stream = try SourceStream(path: path)
        guard stream.byteCount <= PictureLimits.fileBytes else {
            throw MediaError(
                .overLimit, subject: path,
                message: "has \(stream.byteCount) bytes; pictures of this kind are read up to \(PictureLimits.fileBytes)")
        }
        let made = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(stream.byteCount), alignment: 16)
        let count = avio_read(stream.context, made.bindMemory(to: UInt8.self).baseAddress, Int32(stream.byteCount))
        guard Int64(count) == stream.byteCount else {
            made.deallocate()
            throw MediaError(.damaged, subject: path, message: "cannot be read to its end")
        }
        buffer = made
    }

    deinit { buffer.deallocate() }

    /// Where the bytes begin.
    var base: UnsafePointer<UInt8>? { UnsafePointer(buffer.bindMemory(to: UInt8.self).baseAddress) }
}
