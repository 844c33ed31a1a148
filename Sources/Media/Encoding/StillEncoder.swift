import CFFmpeg
package import ExportPlan
import Vocabulary
package import FoundationEssentials

/// Encodes each frame of a segment as a picture file of its own.
package final class StillEncoder {
    private let codec: VideoCodecFormat
    private let pixels: VideoCodecFormat.Pixels
    private let options: [(String, String)]
    private let colors = PictureScaler(subject: "picture")
    private let layout = PictureScaler(subject: "picture")

    package init(_ settings: VideoEncodeSettings) {
        codec = settings.codec.format
        pixels = settings.alpha == true ? codec.transparency?.pixels ?? codec.pixels : codec.pixels
        var options = codec.options.map { ($0.name, $0.text(forSpeed: settings.speed)) }
        if case .quality(let factor) = settings.rate, let scale = codec.quality {
            options.append((scale.option, scale.text(factor)))
        }
        self.options = options
    }

    /// - Parameter frame: as it was composed: in 4:2:0 of BT.709, or transparent in the codec's own format.
    /// - Returns: the picture's file.
    package func file(of frame: VideoFrame) throws(MediaError) -> Data {
        var picture = frame
        if frame.pixelFormat != pixels.libav {
            let rgb = try colors.scale(frame, region: .whole, color: .bt709, to: .rgba, size: frame.size)
            picture = rgb
            if pixels != .rgba {
                picture = try VideoFrame(libav: pixels.libav, frame.size)
                try layout.scale(rgb, region: .whole, color: .jfif, into: picture, at: PixelRect(frame.size))
            }
        }
        return try encode(picture)
    }

    private func encode(_ picture: VideoFrame) throws(MediaError) -> Data {
        // libwebp_anim would wait for further pictures.
        let name = codec.codec == .webp ? "libwebp" : codec.encoder
        let isJPEG = codec.codec == .mjpeg
        let encoder = try EncoderContext(name, options: options) { context in
            context.pointee.width = Int32(picture.size.width)
            context.pointee.height = Int32(picture.size.height)
            context.pointee.pix_fmt = picture.pixelFormat
            context.pointee.time_base = AVRational(num: 1, den: 1)
            context.pointee.thread_count = 1
            guard isJPEG else { return }
            context.pointee.flags |= AV_CODEC_FLAG_QSCALE
            context.pointee.qmin = 1
            context.pointee.color_range = AVCOL_RANGE_JPEG
            // mjpeg writes JFIF's header only where the shape of a pixel is known.
            context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        }
        let numbered = try VideoFrame()
        try LibavResult.check(av_frame_ref(numbered.pointer, picture.pointer), "frame", "cannot be shared", .outOfMemory)
        numbered.pointer.pointee.pts = 0
        if isJPEG { numbered.pointer.pointee.quality = encoder.pointer.pointee.global_quality }
        var bytes = Data()
        let collect = { (packet: Packet) throws(MediaError) in
            bytes.append(packet.pointer.pointee.data, count: packet.byteCount)
        }
        try encoder.encode(numbered.pointer, collect)
        try encoder.encode(nil, collect)
        return bytes
    }
}
