import ExportPlan

/// The bytes of a picture file in memory, at a fixed address, for libraries that read from memory.
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

    /// The address of the first byte.
    var base: UnsafePointer<UInt8>? { UnsafePointer(buffer.bindMemory(to: UInt8.self).baseAddress) }
}
