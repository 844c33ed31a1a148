import CFFmpeg
import ExportPlan

/// Chooses libavcodec's decoder for a picture stream. FFmpeg's own VP8 and VP9 decoders drop the alpha channel that
/// WebM stores beside each picture (WebM container guidelines); libvpx decodes both.
enum DecoderChoice {
    /// - Throws: `MediaError` `missingCodec` with the decoder's name.
    static func decoder(
        of stream: UnsafeMutablePointer<AVStream>, path: String
    ) throws(MediaError) -> UnsafePointer<AVCodec> {
        let id = stream.pointee.codecpar?.pointee.codec_id ?? AV_CODEC_ID_NONE
        if hasSeparateAlpha(stream), let name = transparentDecoders[id.rawValue] {
            guard let codec = avcodec_find_decoder_by_name(name) else {
                throw MediaError(
                    .missingCodec, subject: path,
                    message: "has transparency, which needs the decoder '\(name)'; install an FFmpeg that was built with libvpx")
            }
            return codec
        }
        // A codec that has no name is in no FFmpeg: the file is at fault, and not this machine.
        guard id != AV_CODEC_ID_NONE else {
            throw MediaError(
                .unknownFormat, subject: path,
                message: "has a picture whose codec is not known; convert it, for instance to H.264 in an MP4 file")
        }
        guard let codec = avcodec_find_decoder(id) else {
            throw MediaError(
                .missingCodec, subject: path,
                message: "needs a decoder for '\(String(cString: avcodec_get_name(id)))', which is not installed")
        }
        return codec
    }

    private static let transparentDecoders = [
        AV_CODEC_ID_VP8.rawValue: "libvpx", AV_CODEC_ID_VP9.rawValue: "libvpx-vp9",
    ]

    /// Whether the container declares a separate alpha channel: Matroska's `AlphaMode`, which libavformat exposes as a
    /// tag.
    private static func hasSeparateAlpha(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        guard let tag = av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0), let value = tag.pointee.value else {
            return false
        }
        return String(cString: value) == "1"
    }
}
