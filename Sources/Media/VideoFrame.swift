import CFFmpeg
public import ExportPlan

/// A decoded or composed picture. Owns a libav frame; its planes are reference counted and may be shared, so they are
/// written only by whoever made the frame.
public final class VideoFrame {
    /// The layouts that Spool itself makes.
    public enum Format: Sendable {
        /// 8 bits, chroma halved both ways: what is composed and encoded.
        case yuv420
        /// 10 bits in 16, little endian, chroma halved both ways: what a film has that keeps its sources' colours.
        case yuv420p10
        /// 10 bits in 16, little endian, full chroma: what gamut mapping reads.
        case yuv444p10
        /// 10 bits in 16, little endian, chroma halved across: what ProRes takes.
        case yuv422p10
        /// 8 bits a channel, straight alpha.
        case rgba
        /// 8 bits a channel, blue first: what palettes are found in and animated WebPs are made of.
        case bgra

        var libav: AVPixelFormat {
            switch self {
            case .yuv420: AV_PIX_FMT_YUV420P
            case .yuv420p10: AV_PIX_FMT_YUV420P10LE
            case .yuv444p10: AV_PIX_FMT_YUV444P10LE
            case .yuv422p10: AV_PIX_FMT_YUV422P10LE
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
    public convenience init(_ format: Format, _ size: FrameSize) throws(MediaError) {
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

    public var size: FrameSize { FrameSize(width: Int(pointer.pointee.width), height: Int(pointer.pointee.height)) }

    var pixelFormat: AVPixelFormat { AVPixelFormat(rawValue: pointer.pointee.format) }

    /// Whether this is 8-bit 4:2:0 with limited range as far as the format tells.
    public var isYUV420: Bool { pixelFormat == AV_PIX_FMT_YUV420P || pixelFormat == AV_PIX_FMT_YUVJ420P }

    public func has(_ format: Format) -> Bool { pixelFormat == format.libav }

    /// In the stream's time base.
    var timestamp: Int64? {
        let best = pointer.pointee.best_effort_timestamp
        if best != spool_no_timestamp { return best }
        return pointer.pointee.pts != spool_no_timestamp ? pointer.pointee.pts : nil
    }

    /// Parts of the picture are known to be missing.
    var isCorrupt: Bool {
        pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    /// The decoder met an error in it and painted over the place.
    var isConcealed: Bool { pointer.pointee.decode_error_flags != 0 }

    /// Bytes of picture data, for memory budgets.
    var byteCount: Int {
        Int(max(0, av_image_get_buffer_size(pixelFormat, pointer.pointee.width, pointer.pointee.height, 1)))
    }

    /// One plane of an 8-bit picture.
    /// - Parameter index: 0 is luma (or all of RGBA), 1 and 2 are chroma.
    public func plane(_ index: Int) -> Plane {
        let chroma = index > 0 && pixelFormat != AV_PIX_FMT_YUV444P10LE
        let width = chroma ? (size.width + 1) / 2 : size.width
        let height = chroma ? (size.height + 1) / 2 : size.height
        guard let base = data(index) else { preconditionFailure("the frame has no plane \(index)") }
        return Plane(base: base, stride: lineSize(index), width: width, height: height)
    }

    /// Bytes of plane `index`; `AVFrame.data` is a tuple, and this is the one place that reads it.
    func data(_ index: Int) -> UnsafeMutablePointer<UInt8>? {
        withUnsafePointer(to: &pointer.pointee.data) {
            $0.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 8) { $0[index] }
        }
    }

    /// Bytes from one row of plane `index` to the next.
    func lineSize(_ index: Int) -> Int {
        withUnsafePointer(to: &pointer.pointee.linesize) {
            $0.withMemoryRebound(to: Int32.self, capacity: 8) { Int($0[index]) }
        }
    }
}

/// One rectangle of bytes inside a frame; valid as long as the frame is.
public struct Plane {
    public let base: UnsafeMutablePointer<UInt8>
    /// Bytes from row to row.
    public let stride: Int
    /// Samples.
    public let width: Int
    public let height: Int

    public init(base: UnsafeMutablePointer<UInt8>, stride: Int, width: Int, height: Int) {
        self.base = base
        self.stride = stride
        self.width = width
        self.height = height
    }

    public func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y * stride }

    /// The part of the plane inside a rectangle of its own samples.
    public func part(x: Int, y: Int, width: Int, height: Int) -> Plane {
        Plane(base: base + y * stride + x, stride: stride, width: width, height: height)
    }
}
