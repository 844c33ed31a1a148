import ExportPlan

/// A pulsating haze: the blurred picture is laid over the picture with W3C's `screen` blend mode, with a varying
/// strength.
extension OperationDescriptor {
    static let hazy = OperationDescriptor(
        "hazy", "Lays a soft glow over the picture that breathes.",
        formula:
            "c + a * blur(c) * (1 - c), a = amount * (0.6 + 0.4 smoothstep(1 - |2 fract(t / period) - 1|)), a Gaussian of standard deviation softness * min(width, height), t seconds since the beginning; alpha stays",
        isTimeDependent: true,
        parameters: [
            OperationParameter("amount", default: 0.5, neutral: 0, in: 0...1, unit: "share", "how strong the glow is"),
            OperationParameter(
                "softness", default: 0.02, in: 0.001...0.2, unit: "of the smaller side", "the blur's standard deviation"),
            OperationParameter("period", default: 3, in: 0.1...60, unit: "seconds", "one breath"),
        ],
        .spatial { instant in
            let phase = Course.phase(instant.seconds, period: Double(instant["period"]))
            let share = instant["amount"] * (0.6 + 0.4 * Course.swing(phase))
            let (width, height) = (instant.size.width, instant.size.height)
            let blur = PlaneBlur(deviation: Double(instant["softness"]) * Double(min(width, height)))
            return { picture in
                var result = picture
                let cover = picture.hasAlpha ? picture.planes[3] : nil
                let blurredCover = cover.map { blur.blurred($0, width: width, height: height) }
                for index in 0..<3 {
                    let soft = blur.blurred(picture.planes[index], width: width, height: height)
                    if let cover, let blurredCover {
                        for place in soft.indices where cover[place] > 0 {
                            // The unpremultiplied colour of the glow; it is added in proportion to the picture's
                            // coverage.
                            let glow = unit(soft[place] / max(blurredCover[place], 1e-6))
                            result.planes[index][place] += share * glow * (cover[place] - result.planes[index][place])
                        }
                    } else {
                        result.planes[index] = zip(picture.planes[index], soft).map { $0 + share * unit($1) * (1 - $0) }
                    }
                }
                return result
            }
        })
}
