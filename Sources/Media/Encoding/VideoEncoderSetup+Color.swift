import CFFmpeg
import ExactTime
package import ExportPlan
package import Vocabulary

/// Sets an encoder up for pictures that keep their source's colours, and for codecs that store HDR metadata in the
/// stream.
extension VideoEncoderSetup {
    mutating func keep(_ color: FilmColor, _ settings: VideoEncodeSettings) {
        guard let kept = settings.passThroughFormat else { return }
        tagsEachPicture = true
        pixelFormat = kept.libav
        format = nil
        switch settings.codec {
        case .hevc: append(color.hdrMetadata?.x265Parameters, to: "x265-params")
        case .av1: append(color.hdrMetadata?.svtParameters, to: "svtav1-params")
        case .h264, .vp9, .prores, .gif, .webp, .png, .mjpeg, .tiff, .rawvideo: break
        }
    }

    private mutating func append(_ parameters: String?, to option: String) {
        guard let parameters, let index = options.firstIndex(where: { $0.0 == option }) else { return }
        options[index].1 += ":" + parameters
    }
}

extension VideoEncodeSettings {
    /// The pixel format of pictures that keep their source's colours; nil if pictures are composed.
    package var passThroughFormat: VideoFrame.Format? {
        guard let color else { return nil }
        if color.bitsPerSample == 8 { return .yuv420 }
        return (codec.format.tenBitPixels ?? .yuv420p10).picture
    }
}

extension VideoEncodeSettings {
    /// The pixel format of pictures that keep their transparency; nil if the film is opaque.
    package var transparentFormat: VideoFrame.Format? {
        alpha == true ? codec.format.transparency?.pixels.picture : nil
    }

    /// The container of a segment until it is stitched.
    package var segmentType: FileType {
        if stills == true { return .webpStills }
        return (alpha == true ? codec.format.transparency?.segmentType : nil) ?? codec.format.segmentType
    }
}

extension HDRMetadata {
    /// HDR metadata for libx265, in the integer steps of SMPTE ST 2086.
    fileprivate var x265Parameters: String {
        let display = masteringDisplay.map {
            "master-display="
                + $0.text(
                    coordinate: { "\(($0 * Rational(MasteringDisplay.chromaticitySteps)).rounded)" },
                    luminance: { "\(($0 * Rational(MasteringDisplay.luminanceSteps)).rounded)" })
        }
        let content = contentLight.map { "max-cll=\($0.maxContent),\($0.maxFrameAverage)" }
        return [display, content].compactMap { $0 }.joined(separator: ":")
    }

    /// HDR metadata for SVT-AV1, in decimal numbers.
    fileprivate var svtParameters: String {
        let display = masteringDisplay.map {
            "mastering-display=" + $0.text(coordinate: \.fiveDecimals, luminance: \.fiveDecimals)
        }
        let content = contentLight.map { "content-light=\($0.maxContent),\($0.maxFrameAverage)" }
        return [display, content].compactMap { $0 }.joined(separator: ":")
    }
}

extension MasteringDisplay {
    /// The mastering display in the syntax of x265 and SVT-AV1.
    fileprivate func text(coordinate: (Rational) -> String, luminance: (Rational) -> String) -> String {
        let places = [("G", green), ("B", blue), ("R", red), ("WP", white)].map { name, place in
            "\(name)(\(coordinate(place.x)),\(coordinate(place.y)))"
        }
        return places.joined() + "L(\(luminance(maxLuminance)),\(luminance(minLuminance)))"
    }
}

extension Rational {
    fileprivate var fiveDecimals: String {
        let digits = "\((self * Rational(100_000)).rounded)"
        let padded = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        return "\(padded.dropLast(5)).\(padded.suffix(5))"
    }
}
