import CFFmpeg
package import ExportPlan

/// A decoded or composed picture. Owns a libav frame. Its planes are reference counted and may be shared, so only the
/// code that created the frame writes to them.
package final class VideoFrame {
    /// The pixel formats that Spool itself produces.
    package enum Format: Sendable {
        /// 8 bits, 4:2:0: pictures that are composed and encoded.
        case yuv420
        /// 10 bits in 16, little endian, 4:2:0: films that keep their source's colours.
        case yuv420p10
        /// 10 bits in 16, little endian, 4:4:4: the input of gamut mapping.
        case yuv444p10
        /// 10 bits in 16, little endian, 4:2:2: the input of ProRes.
        case yuv422p10
        /// 8 bits, 4:2:0 with straight alpha: transparent films in VP9.
        case yuva420
        /// 10 bits in 16, little endian, 4:4:4 with straight alpha: transparent films in ProRes.
        case yuva444p10
        /// 8 bits per channel, straight alpha.
        case rgba
        /// 8 bits per channel, blue first: the input of palettes and of animated WebPs.
        case bgra

        var libav: AVPixelFormat {
            switch self {
            case .yuv420: AV_PIX_FMT_YUV420P
            case .yuv420p10: AV_PIX_FMT_YUV420P10LE
            case .yuv444p10: AV_PIX_FMT_YUV444P10LE
            case .yuv422p10: AV_PIX_FMT_YUV422P10LE
            case .yuva420: AV_PIX_FMT_YUVA420P
            case .yuva444p10: AV_PIX_FMT_YUVA444P10LE
            case .rgba: AV_PIX_FMT_RGBA
            case .bgra: AV_PIX_FMT_BGRA
            }
        }
    }

    let pointer: UnsafeMutablePointer<AVFrame>

    /// An empty frame, for a decoder to fill.
    init() throws(MediaError) {
        pointer = try LibavResult.allocated(av_frame_alloc(), "frame")
    }

    /// A frame with room for a picture; its contents are undefined.
    package convenience init(_ format: Format, _ size: FrameSize) throws(MediaError) {
        try self.init(libav: format.libav, size)
    }

    convenience init(libav format: AVPixelFormat, _ size: FrameSize) throws(MediaError) {
        try self.init()
        pointer.pointee.format = format.rawValue
        pointer.pointee.width = Int32(size.width)
        pointer.pointee.height = Int32(size.height)
        try LibavResult.check(av_frame_get_buffer(pointer, 64), "frame", "cannot be allocated at \(size)", .outOfMemory)
    }

    deinit {
        var freeing: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&freeing)
    }

    package var size: FrameSize { FrameSize(width: Int(pointer.pointee.width), height: Int(pointer.pointee.height)) }

    var pixelFormat: AVPixelFormat { AVPixelFormat(rawValue: pointer.pointee.format) }

    /// Whether this is 8-bit 4:2:0, by its pixel format.
    package var isYUV420: Bool { pixelFormat == AV_PIX_FMT_YUV420P || pixelFormat == AV_PIX_FMT_YUVJ420P }

    package func has(_ format: Format) -> Bool { pixelFormat == format.libav }

    /// The presentation time in the stream's time base; nil if unknown.
    var timestamp: Int64? {
        let best = pointer.pointee.best_effort_timestamp
        if best != spool_no_timestamp { return best }
        return pointer.pointee.pts != spool_no_timestamp ? pointer.pointee.pts : nil
    }

    /// Whether regions of the picture are known to be missing.
    var isCorrupt: Bool {
        pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    /// Whether the decoder found an error in the picture and concealed it.
    var isConcealed: Bool { pointer.pointee.decode_error_flags != 0 }

    /// The size of the picture data in bytes, for memory budgets.
    var byteCount: Int {
        Int(max(0, av_image_get_buffer_size(pixelFormat, pointer.pointee.width, pointer.pointee.height, 1)))
    }

    /// One plane of an 8-bit picture.
    /// - Parameter index: 0 is luma (or all of RGBA), 1 and 2 are chroma, 3 is alpha.
    package func plane(_ index: Int) -> Plane {
        let chroma = (index == 1 || index == 2) && pixelFormat != AV_PIX_FMT_YUV444P10LE
        let width = chroma ? (size.width + 1) / 2 : size.width
        let height = chroma ? (size.height + 1) / 2 : size.height
        guard let base = data(index) else { preconditionFailure("the frame has no plane \(index)") }
        return Plane(base: base, stride: lineSize(index), width: width, height: height)
    }

    /// The bytes of plane `index`. `AVFrame.data` is a tuple, and only this and `setPlane` know it.
    func data(_ index: Int) -> UnsafeMutablePointer<UInt8>? {
        withUnsafePointer(to: &pointer.pointee.data) {
            $0.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 8) { $0[index] }
        }
    }

    /// The distance in bytes from one row of plane `index` to the next.
    func lineSize(_ index: Int) -> Int {
        withUnsafePointer(to: &pointer.pointee.linesize) {
            $0.withMemoryRebound(to: Int32.self, capacity: 8) { Int($0[index]) }
        }
    }

    /// Sets where plane `index` is, in a buffer that the frame holds.
    func setPlane(_ index: Int, _ base: UnsafeMutablePointer<UInt8>, lineSize: Int32) {
        withUnsafeMutablePointer(to: &pointer.pointee.data) {
            $0.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 8) { $0[index] = base }
        }
        withUnsafeMutablePointer(to: &pointer.pointee.linesize) {
            $0.withMemoryRebound(to: Int32.self, capacity: 8) { $0[index] = lineSize }
        }
    }
}

/// A rectangle of bytes inside a frame. Valid as long as the frame exists.
package struct Plane {
    package let base: UnsafeMutablePointer<UInt8>
    /// The distance from one row to the next, in bytes.
    package let stride: Int
    /// The size of the plane, in samples.
    package let width: Int
    package let height: Int

    package init(base: UnsafeMutablePointer<UInt8>, stride: Int, width: Int, height: Int) {
        self.base = base
        self.stride = stride
        self.width = width
        self.height = height
    }

    @inlinable package func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y * stride }

    /// The region of the plane inside a rectangle, given in samples of this plane.
    package func part(x: Int, y: Int, width: Int, height: Int) -> Plane {
        Plane(base: base + y * stride + x, stride: stride, width: width, height: height)
    }
}
