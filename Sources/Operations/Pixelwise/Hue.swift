import Glibc

/// Rotates all colours around the axis of greys: `feColorMatrix` of type `hueRotate` in the W3C's Filter Effects Module
/// Level 1. Greys stay unchanged, and luma nearly does.
extension OperationDescriptor {
    static let hue = OperationDescriptor(
        "hue", "Turns all colours round the colour wheel.",
        formula: "the matrix of W3C Filter Effects, hueRotate(angle)",
        parameters: [
            OperationParameter("angle", default: 0, neutral: 0, in: -360...360, unit: "degrees", "120 takes red to green")
        ],
        .pixelwise { instant in
            let angle = Double(instant["angle"]) * .pi / 180
            let (c, s) = (cos(angle), sin(angle))
            return ColorMatrix(
                [0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928],
                [0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283],
                [0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072]
            ).stage
        })
}
