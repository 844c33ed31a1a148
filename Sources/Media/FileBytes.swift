import ExportPlan

/// A picture file's bytes in memory, for libraries that read from there. Owns them; they stay where they are.
final class FileBytes {
    let path: String
    let buffer: UnsafeMutableRawBufferPointer

    /// - Throws: `MediaError` `overLimit`, `cannotRead` or `outOfMemory`.
    init(_ file: SourceFile) throws(MediaError) {
        path = file.path
        guard file.byteCount <= PictureLimits.fileBytes else {
            throw MediaError(
                .overLimit, subject: path,
                message: "has \(file.byteCount) bytes; pictures of this kind are read up to \(PictureLimits.fileBytes)")
        }
        let made = UnsafeMutableRawBufferPointer.allocate(byteCount: file.byteCount, alignment: 16)
        do throws(MediaError) {
            _ = try file.fill(made, from: 0)
        } catch {
            made.deallocate()
            throw error
        }
        buffer = made
    }

    deinit { buffer.deallocate() }

    /// Where the bytes begin.
    var base: UnsafePointer<UInt8>? { UnsafePointer(buffer.bindMemory(to: UInt8.self).baseAddress) }
}
