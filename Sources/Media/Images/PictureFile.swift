import CFFmpeg
import ExportPlan
import FoundationEssentials

/// Writes a picture as a PNG file.
package enum PictureFile {
    /// - Parameter frame: a picture in the format `rgba`. Any other format is refused, because it would be read past
    ///   its end.
    /// - Throws: `MediaError` `cannotWrite`.
    package static func writePNG(_ frame: VideoFrame, to path: String) throws(MediaError) {
        precondition(frame.pixelFormat == AV_PIX_FMT_RGBA, "a PNG is made of RGBA")
        let encoder = try EncoderContext("png", options: []) { context in
            context.pointee.width = Int32(frame.size.width)
            context.pointee.height = Int32(frame.size.height)
            context.pointee.pix_fmt = AV_PIX_FMT_RGBA
            context.pointee.time_base = AVRational(num: 1, den: 1)
        }
        var bytes = Data()
        let collect = { (packet: Packet) throws(MediaError) in
            bytes.append(packet.pointer.pointee.data, count: packet.byteCount)
        }
        try encoder.encode(frame.pointer, collect)
        try encoder.encode(nil, collect)
        let file = try OutputFile(path: path)
        file.write(bytes)
        try file.finish()
    }
}
