import CFFmpeg
import CHeif
import ExactTime
import ExportPlan

/// The primary picture of a HEIC or AVIF still, read with libheif: rotated, mirrored and cropped as the file says, in
/// 8-bit RGB, with straight alpha if it has any. The file's matrix and range are undone; its primaries and transfer are
/// kept, and its ICC profile is attached.
final class HeifPicture: PictureSequence {
    /// The value of `SourceFacts.container` for HEIC and AVIF stills.
    static let container = "heif"

    let path: String
    let hasAlpha: Bool
    /// `av1` if the file's brand is `avif`, otherwise `hevc`.
    let codec: String
    private let file: FileBytes
    private let context: HeifContext
    private let handle: HeifHandle
    private(set) var isDrained = false

    /// The major brand and the compatible brands of a file (ISO/IEC 14496-12, section 4.3): AVIF may have either `avif` or a
    /// general brand such as `mif1` first.
    private static func brands(of bytes: UnsafeMutableRawBufferPointer) -> [String] {
        let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= 12, length <= bytes.count else { return [] }
        return ([8] + stride(from: 16, to: length - 3, by: 4)).map { String(decoding: bytes[$0..<$0 + 4], as: UTF8.self) }
    }

    /// - Throws: `MediaError` `damaged`, `overLimit`, `missingCodec` or `outOfMemory`.
    init(_ source: SourceFile) throws(MediaError) {
        let path = source.path
        self.path = path
        file = try FileBytes(source)
        context = HeifContext(try LibavResult.allocated(heif_context_alloc(), path))
        // libheif starts no threads: a rendering process has one slot.
        heif_context_set_max_decoding_threads(context.pointer, 0)
        heif_context_set_maximum_image_size_limit(context.pointer, Int32(PictureLimits.side))
        try HeifPicture.check(
            heif_context_read_from_memory_without_copy(context.pointer, file.base, file.buffer.count, nil), path)
        var primary: OpaquePointer?
        try HeifPicture.check(heif_context_get_primary_image_handle(context.pointer, &primary), path)
        handle = HeifHandle(try LibavResult.allocated(primary, path))
        hasAlpha = heif_image_handle_has_alpha_channel(handle.pointer) != 0
        codec = HeifPicture.brands(of: file.buffer).contains { $0 == "avif" || $0 == "avis" } ? "av1" : "hevc"
        // Both the coded size and the shown size are checked.
        for (width, height) in [
            (heif_image_handle_get_ispe_width(handle.pointer), heif_image_handle_get_ispe_height(handle.pointer)),
            (heif_image_handle_get_width(handle.pointer), heif_image_handle_get_height(handle.pointer)),
        ] {
            try PictureLimits.check(FrameSize(width: Int(width), height: Int(height)), path)
        }
    }

    func next() throws(MediaError) -> TimedPicture? {
        guard !isDrained else { return nil }
        isDrained = true
        return TimedPicture(timestamp: 0, frame: try decode().frame)
    }

    func seek(to timestamp: Int64) -> Bool { false }

    func rewind() { isDrained = false }

    /// The decoded picture and its colour description.
    /// - Throws: `MediaError` `damaged`, `overLimit`, `missingCodec` or `outOfMemory`.
    func decode() throws(MediaError) -> (frame: VideoFrame, color: ColorDescription) {
        guard let options = heif_decoding_options_alloc() else {
            throw MediaError(.outOfMemory, subject: path, message: "needs more memory than there is")
        }
        defer { heif_decoding_options_free(options) }
        options.pointee.convert_hdr_to_8bit = 1
        options.pointee.strict_decoding = 1
        let chroma = hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB
        var decoded: OpaquePointer?
        try HeifPicture.check(
            heif_decode_image(handle.pointer, &decoded, heif_colorspace_RGB, chroma, options), path)
        let image = try LibavResult.allocated(decoded, path)
        defer { heif_image_release(image) }
        let size = FrameSize(
            width: Int(heif_image_get_width(image, heif_channel_interleaved)),
            height: Int(heif_image_get_height(image, heif_channel_interleaved)))
        try PictureLimits.check(size, path)
        var stride: Int32 = 0
        let bytesPerRow = size.width * (hasAlpha ? 4 : 3)
        guard let pixels = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride), Int(stride) >= bytesPerRow
        else {
            throw MediaError(
                .damaged, subject: path, message: "is damaged: its picture cannot be decoded; copy or export the file again")
        }
        let frame = try VideoFrame(libav: hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24, size)
        guard let base = frame.data(0) else { preconditionFailure("the frame has no plane") }
        for y in 0..<size.height {
            let row = base + y * frame.lineSize(0)
            row.update(from: pixels + y * Int(stride), count: bytesPerRow)
            if heif_image_handle_is_premultiplied_alpha(handle.pointer) != 0, hasAlpha { straighten(row, size.width) }
        }
        let (color, profile) = HeifColor.description(handle.pointer, image)
        if let profile { try frame.attach(profile: profile) }
        return (frame, color)
    }

    /// Converts premultiplied RGBA to straight alpha.
    private func straighten(_ row: UnsafeMutablePointer<UInt8>, _ width: Int) {
        for x in 0..<width {
            let pixel = row + 4 * x
            let alpha = Int(pixel[3])
            for channel in 0..<3 {
                pixel[channel] = alpha == 0 ? 0 : UInt8(min(255, (Int(pixel[channel]) * 255 + alpha / 2) / alpha))
            }
        }
    }

    private static func check(_ result: heif_error, _ path: String) throws(MediaError) {
        guard result.code != heif_error_Ok else { return }
        let detail = result.message.flatMap { LibraryMessage.clean(String(cString: $0)) }.map { " (\($0))" } ?? ""
        if result.subcode == heif_suberror_Security_limit_exceeded {
            throw MediaError(.overLimit, subject: path, message: "is larger than pictures may be\(detail); make it smaller")
        }
        switch result.code {
        case heif_error_Memory_allocation_error:
            throw MediaError(.outOfMemory, subject: path, message: "needs more memory than there is\(detail)")
        case heif_error_Plugin_loading_error:
            throw MediaError(
                .missingCodec, subject: path,
                message: "needs a decoder that is not installed\(detail); convert it to JPEG, PNG or WebP")
        case heif_error_Unsupported_filetype, heif_error_Unsupported_feature:
            throw MediaError(
                .unknownFormat, subject: path,
                message: "is a HEIC or AVIF picture of a kind that cannot be read; convert it to JPEG, PNG or WebP\(detail)")
        default:
            throw MediaError(
                .damaged, subject: path,
                message: "is damaged: its picture cannot be decoded\(detail); copy or export the file again")
        }
    }
}

/// Owns libheif's context.
private final class HeifContext {
    let pointer: OpaquePointer
    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { heif_context_free(pointer) }
}

/// Owns libheif's handle of a picture.
private final class HeifHandle {
    let pointer: OpaquePointer
    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { heif_image_handle_release(pointer) }
}
