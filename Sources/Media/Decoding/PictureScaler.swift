import CFFmpeg
import ExactTime
package import ExportPlan

/// Scales a region of a picture and converts its pixel format and colour with libswscale. The result is the same on
/// every processor.
///
/// Keeps libswscale's context for the last combination of formats and sizes, so use one scaler per layer.
package final class PictureScaler {
    private struct Configuration: Equatable {
        var source: Int32
        var sourceSize: FrameSize
        var color: ColorDescription
        var target: Int32
        var targetSize: FrameSize
    }

    private var context: OpaquePointer?
    private var configuration: Configuration?
    /// Converts to full chroma first if a region begins inside a chroma sample.
    private var unpacker: PictureScaler?
    private let subject: String
    /// The colour description of pictures in `yuv420`.
    private let composed: ColorDescription

    /// - Parameters:
    ///   - subject: the name of the pictures' source, for messages.
    ///   - composed: the colour description that pictures in `yuv420` get.
    package init(subject: String, composed: ColorDescription = .bt709) {
        self.subject = subject
        self.composed = composed
    }

    deinit {
        if let context { sws_freeContext(context) }
    }

    /// The region of `frame` as a new picture.
    ///
    /// - Parameters:
    ///   - region: in fractions of the stored picture.
    ///   - color: the colour description of `frame`. `yuv420` comes out as `composed`, by default BT.709 with limited
    ///     range, `rgba` and `bgra` as full-range RGB of the same primaries and transfer; 10-bit formats keep the source's
    ///     matrix and range.
    package func scale(
        _ frame: VideoFrame, region: Region, color: ColorDescription, to format: VideoFrame.Format, size: FrameSize
    ) throws(MediaError) -> VideoFrame {
        let result = try VideoFrame(format, size)
        try scale(frame, region: region, color: color, into: result, at: PixelRect(size))
        return result
    }

    /// Draws the region of `frame` into a rectangle of an existing picture.
    /// - Parameter rect: in pixels of `target`; even where the chroma of `target` is subsampled.
    package func scale(
        _ frame: VideoFrame, region: Region, color: ColorDescription, into target: VideoFrame, at rect: PixelRect
    ) throws(MediaError) {
        let part = pixels(of: region, in: frame.size)
        guard let descriptor = av_pix_fmt_desc_get(frame.pixelFormat) else {
            throw MediaError(.internalFailure, subject: subject, message: "has an unknown pixel layout")
        }
        let stepX = 1 << Int(descriptor.pointee.log2_chroma_w)
        let stepY = 1 << Int(descriptor.pointee.log2_chroma_h)
        if part.x % stepX != 0 || part.y % stepY != 0 {
            // The region starts inside a chroma sample. Converted to full chroma, every pixel has its own sample.
            let wide = unpacker ?? PictureScaler(subject: subject)
            unpacker = wide
            let full = try VideoFrame(
                libav: descriptor.pointee.comp.0.depth > 8 ? AV_PIX_FMT_YUV444P16LE : AV_PIX_FMT_YUV444P, frame.size)
            try wide.convert(frame, PixelRect(frame.size), color, full, PixelRect(frame.size), keepsColor: true)
            return try convert(full, part, color, target, rect, keepsColor: false)
        }
        try convert(frame, part, color, target, rect, keepsColor: false)
    }

    private func convert(
        _ frame: VideoFrame, _ part: PixelRect, _ color: ColorDescription, _ target: VideoFrame, _ rect: PixelRect,
        keepsColor: Bool
    ) throws(MediaError) {
        let wanted = Configuration(
            source: frame.pixelFormat.rawValue, sourceSize: part.size, color: color, target: target.pixelFormat.rawValue,
            targetSize: rect.size)
        if configuration != wanted { try configure(wanted, keepsColor: keepsColor) }
        var inputs = planePointers(frame, part)
        var outputs = planePointers(target, rect)
        let inputStrides = (0..<4).map { Int32(frame.lineSize($0)) }
        let outputStrides = (0..<4).map { Int32(target.lineSize($0)) }
        LibavLog.begin()
        let rows = inputs.withUnsafeMutableBufferPointer { input in
            outputs.withUnsafeMutableBufferPointer { output in
                input.withMemoryRebound(to: UnsafePointer<UInt8>?.self) { input in
                    sws_scale(
                        context, input.baseAddress, inputStrides, 0, Int32(part.height), output.baseAddress, outputStrides)
                }
            }
        }
        try LibavResult.check(rows, subject, "cannot be scaled")
    }

    private func configure(_ wanted: Configuration, keepsColor: Bool) throws(MediaError) {
        if let context { sws_freeContext(context) }
        context = nil
        configuration = nil
        LibavLog.begin()
        guard let made = sws_alloc_context() else {
            throw MediaError(.outOfMemory, subject: subject, message: "needs more memory than there is")
        }
        context = made
        let options = UnsafeMutableRawPointer(made)
        av_opt_set_int(options, "srcw", Int64(wanted.sourceSize.width), 0)
        av_opt_set_int(options, "srch", Int64(wanted.sourceSize.height), 0)
        av_opt_set_int(options, "src_format", Int64(wanted.source), 0)
        av_opt_set_int(options, "dstw", Int64(wanted.targetSize.width), 0)
        av_opt_set_int(options, "dsth", Int64(wanted.targetSize.height), 0)
        av_opt_set_int(options, "dst_format", Int64(wanted.target), 0)
        // Without these flags the bytes of a film would differ between processors.
        let exact = SWS_ACCURATE_RND | SWS_BITEXACT
        let sameSize = wanted.sourceSize == wanted.targetSize
        av_opt_set_int(
            options, "sws_flags", Int64((sameSize ? SWS_BICUBIC | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP : SWS_BICUBIC) | exact),
            0)
        let target = wanted.target == AV_PIX_FMT_YUV420P.rawValue && !keepsColor ? composed : wanted.color
        let isRGB = [AV_PIX_FMT_RGBA, AV_PIX_FMT_BGRA, AV_PIX_FMT_RGB24, AV_PIX_FMT_RGBA64LE].contains {
            $0.rawValue == wanted.target
        }
        let targetFull: Int32 = isRGB || target.isFullRange ? 1 : 0
        sws_setColorspaceDetails(
            made, sws_getCoefficients(wanted.color.matrix.swscale), wanted.color.isFullRange ? 1 : 0,
            sws_getCoefficients(target.matrix.swscale), targetFull, 0, 1 << 16, 1 << 16)
        try LibavResult.check(sws_init_context(made, nil, nil), subject, "cannot be scaled")
        configuration = wanted
    }

    /// The addresses at which a region of a frame begins, one for each plane.
    private func planePointers(_ frame: VideoFrame, _ part: PixelRect) -> [UnsafeMutablePointer<UInt8>?] {
        guard let descriptor = av_pix_fmt_desc_get(frame.pixelFormat) else { return [nil, nil, nil, nil] }
        var steps = [Int32](repeating: 0, count: 4)
        av_image_fill_max_pixsteps(&steps, nil, descriptor)
        let isPlanar = descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PLANAR) != 0
        return (0..<4).map { index in
            guard let base = frame.data(index) else { return nil }
            if descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0, index == 1 { return base }
            let chroma = isPlanar && (index == 1 || index == 2)
            let x = chroma ? part.x >> Int(descriptor.pointee.log2_chroma_w) : part.x
            let y = chroma ? part.y >> Int(descriptor.pointee.log2_chroma_h) : part.y
            return base + y * frame.lineSize(index) + x * Int(steps[index])
        }
    }

    /// Converts fractions to whole stored pixels, at least two per side if the picture has two.
    private func pixels(of region: Region, in size: FrameSize) -> PixelRect {
        func extent(_ start: Rational, _ length: Rational, _ total: Int) -> (Int, Int) {
            let first = min(max(0, (start * Rational(total)).rounded), max(0, total - 2))
            let last = min(total, max(first + min(2, total), ((start + length) * Rational(total)).rounded))
            return (first, last - first)
        }
        let (x, width) = extent(region.x, region.width, size.width)
        let (y, height) = extent(region.y, region.height, size.height)
        return PixelRect(x: x, y: y, width: width, height: height)
    }
}

extension ColorDescription.Matrix {
    /// libswscale's number for a set of luma coefficients.
    fileprivate var swscale: Int32 {
        switch self {
        case .rgb, .bt709: SWS_CS_ITU709
        case .bt601: SWS_CS_ITU601
        case .bt2020: SWS_CS_BT2020
        }
    }
}
