import ExportPlan

extension Canvas {
    /// The alpha of every pixel, in rows without gaps.
    func alpha() -> [UInt8] {
        var result = [UInt8](repeating: 0, count: width * height)
        _ = withWords { words, stride in
            for y in 0..<height {
                for x in 0..<width { result[y * width + x] = UInt8(truncatingIfNeeded: words[y * stride + x] >> 24) }
            }
        }
        return result
    }

    /// Replaces every pixel by a colour whose alpha is multiplied by the pixel's value in `alpha`.
    func fill(_ color: RGBAColor, through alpha: [UInt8]) {
        let channels = [color.red, color.green, color.blue].map { UInt32($0) }
        _ = withWords { words, stride in
            for y in 0..<height {
                for x in 0..<width {
                    let strength = (UInt32(alpha[y * width + x]) * UInt32(color.alpha) + 127) / 255
                    var word = strength
                    for channel in channels { word = word << 8 | (channel * strength + 127) / 255 }
                    words[y * stride + x] = word
                }
            }
        }
    }
}
