import CFFmpeg
import ExportPlan
package import Vocabulary
import FoundationEssentials

/// Writes a picture as a file.
package enum PictureFile {
    /// - Parameter frame: a picture in the format `rgba`. Any other format is refused, because it would be read past
    ///   its end.
    /// - Throws: `MediaError` `cannotWrite`, or `overLimit` for a picture that is larger than the type allows.
    package static func write(_ frame: VideoFrame, as type: PictureFileType, to path: String) throws(MediaError) {
        precondition(frame.pixelFormat == AV_PIX_FMT_RGBA, "a picture file is made of RGBA")
        guard max(frame.size.width, frame.size.height) <= type.longestSide else {
            throw MediaError(
                .overLimit, subject: path,
                message:
                    "would be a \(type.suffix) picture of \(frame.size); its sides may have \(type.longestSide) pixels, so make it "
                    + "smaller")
        }
        let bytes: Data
        switch type {
        case .png:
            let picture = frame.isOpaque ? try frame.converted(to: AV_PIX_FMT_RGB24, .jfif) : frame
            let codec = VideoCodec.png.format
            bytes = try encode(picture, codec.encoder, options: codec.options.map { ($0.name, $0.text(forSpeed: "")) })
        case .jpeg: bytes = try jpeg(frame)
        case .webp:
            // libwebp's own quality of photographs on the web, 0...100.
            bytes = try encode(try frame.converted(to: AV_PIX_FMT_BGRA, .jfif), "libwebp", options: [("quality", "90")])
        }
        let file = try OutputFile(path: path)
        file.write(bytes)
        try file.finish()
    }

    /// A JPEG file (JFIF: BT.601 with full range) with half the chroma in both directions.
    private static func jpeg(_ frame: VideoFrame) throws(MediaError) -> Data {
        let picture = try frame.converted(to: AV_PIX_FMT_YUVJ420P, .jfif)
        // The second finest of mjpeg's quantisers.
        let quality = 2 * FF_QP2LAMBDA
        picture.pointer.pointee.quality = quality
        return try encode(picture, "mjpeg") { context in
            context.pointee.flags |= AV_CODEC_FLAG_QSCALE
            context.pointee.global_quality = quality
            context.pointee.color_range = AVCOL_RANGE_JPEG
            // mjpeg writes JFIF's header only where the shape of a pixel is known.
            context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        }
    }

    private static func encode(
        _ frame: VideoFrame, _ name: String, options: [(String, String)] = [],
        _ configure: (UnsafeMutablePointer<AVCodecContext>) -> Void = { _ in }
    ) throws(MediaError) -> Data {
        let encoder = try EncoderContext(name, options: options) { context in
            context.pointee.width = Int32(frame.size.width)
            context.pointee.height = Int32(frame.size.height)
            context.pointee.pix_fmt = frame.pixelFormat
            context.pointee.time_base = AVRational(num: 1, den: 1)
            configure(context)
        }
        var bytes = Data()
        let collect = { (packet: Packet) throws(MediaError) in
            bytes.append(packet.pointer.pointee.data, count: packet.byteCount)
        }
        try encoder.encode(frame.pointer, collect)
        try encoder.encode(nil, collect)
        return bytes
    }
}

extension VideoFrame {
    /// Whether no pixel of an RGBA picture is transparent.
    fileprivate var isOpaque: Bool {
        let plane = plane(0)
        return (0..<size.height).allSatisfy { y in
            let row = plane.row(y)
            var alpha: UInt8 = 255
            for x in 0..<size.width { alpha &= row[4 * x + 3] }
            return alpha == 255
        }
    }

    /// The whole picture in another format.
    /// - Parameter color: how the new picture's code values are to be read, where it is not RGB.
    fileprivate func converted(to format: AVPixelFormat, _ color: ColorDescription) throws(MediaError) -> VideoFrame {
        let result = try VideoFrame(libav: format, size)
        let scaler = PictureScaler(subject: "picture")
        try scaler.scale(self, region: .whole, color: color, into: result, at: PixelRect(size))
        return result
    }
}

extension ColorDescription {
    /// What JFIF files have.
    static let jfif = ColorDescription(matrix: .bt601, primaries: .bt709, transfer: .sdr, isFullRange: true)
}
