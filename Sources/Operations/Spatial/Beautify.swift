import ExportPlan

/// Smooths skin and keeps edges: a guided filter (He, Sun and Tang, "Guided image filtering", 2010) on the luma, guided
/// by the luma itself. It applies where the chroma is that of skin (Chai and Ngan, "Face segmentation using skin-color
/// map", 1999); the edges of that chroma window are soft.
extension OperationDescriptor {
    static let beautify = OperationDescriptor(
        "beautify", "Smooths skin, but not eyes, hair and edges.",
        formula:
            "c + (q - y) * level / 100 * skin; y BT.709 luma, q = mean(a) y + mean(b), a = var(y) / (var(y) + 0.0025), b = mean(y) (1 - a), means and variance over squares of side 2 round(0.012 min(width, height)) + 1 (guided filter); skin = w(Cb, 77, 127) w(Cr, 133, 173), BT.601 code values, w 1 between and smoothstep to 0 within 5 outside; alpha stays",
        parameters: [
            OperationParameter("level", default: 50, neutral: 0, in: 0...100, unit: "percent", "how much of the texture goes")
        ],
        .spatial { instant in
            let strength = instant["level"] / 100
            let side = Float(min(instant.size.width, instant.size.height))
            let box = BoxMean(instant.size, radius: Int((0.012 * side).rounded()))
            return { picture in
                var result = picture
                let luma = Skin.luma(of: picture)
                let change = Skin.smoothed(luma, box)
                result.withRows(0..<picture.size.height) { row in
                    for x in 0..<row.count {
                        let (r, g, b) = (row.red[x], row.green[x], row.blue[x])
                        // The colours are premultiplied and have to be divided by alpha before the test for skin.
                        let cover = picture.hasAlpha ? max(row.alpha[x], 1e-6) : 1
                        let place = row.y * row.count + x
                        let delta = (change[place] - luma[place]) * strength * Skin.share(r / cover, g / cover, b / cover)
                        (row.red[x], row.green[x], row.blue[x]) = (r + delta, g + delta, b + delta)
                    }
                }
                return result
            }
        })
}

/// Detects skin and smooths it.
private enum Skin {
    static func luma(of picture: FloatPicture) -> [Float] {
        let (red, green, blue) = (picture.planes[0], picture.planes[1], picture.planes[2])
        return red.indices.map { 0.2126 * red[$0] + 0.7152 * green[$0] + 0.0722 * blue[$0] }
    }

    /// How much a colour is a skin colour, 0...1.
    static func share(_ r: Float, _ g: Float, _ b: Float) -> Float {
        let cb = 128 - 37.797 * r - 74.203 * g + 112 * b
        let cr = 128 + 112 * r - 93.786 * g - 18.214 * b
        return window(cb, 77, 127) * window(cr, 133, 173)
    }

    private static func window(_ value: Float, _ low: Float, _ high: Float) -> Float {
        smoothStep(from: low - 5, to: low, value) * (1 - smoothStep(from: high, to: high + 5, value))
    }

    /// The guided filter of a plane, guided by the plane itself.
    static func smoothed(_ plane: [Float], _ box: BoxMean) -> [Float] {
        let mean = box.means(of: plane)
        let squares = box.means(of: plane.map { $0 * $0 })
        let slopes = mean.indices.map { index -> Float in
            let variance = max(0, squares[index] - mean[index] * mean[index])
            return variance / (variance + 0.0025)
        }
        let offsets = box.means(of: mean.indices.map { mean[$0] * (1 - slopes[$0]) })
        let smooth = box.means(of: slopes)
        return plane.indices.map { smooth[$0] * plane[$0] + offsets[$0] }
    }
}
