/// How colourful the picture is: `feColorMatrix` of type `saturate` in the W3C's Filter Effects Module Level 1.
extension OperationDescriptor {
    static let saturation = OperationDescriptor(
        "saturation", "Makes colours stronger or paler.",
        formula:
            "matrix [0.213 + 0.787s, 0.715 - 0.715s, 0.072 - 0.072s; 0.213 - 0.213s, 0.715 + 0.285s, 0.072 - 0.072s; 0.213 - 0.213s, 0.715 - 0.715s, 0.072 + 0.928s], s = amount (W3C Filter Effects, saturate)",
        parameters: [
            OperationParameter("amount", default: 1, neutral: 1, in: 0...4, unit: "factor", "0 is without colour")
        ],
        .pixelwise { instant in
            let s = instant.values["amount"] ?? 1
            return ColorMatrix(
                [0.213 + 0.787 * s, 0.715 - 0.715 * s, 0.072 - 0.072 * s],
                [0.213 - 0.213 * s, 0.715 + 0.285 * s, 0.072 - 0.072 * s],
                [0.213 - 0.213 * s, 0.715 - 0.715 * s, 0.072 + 0.928 * s]
            ).stage
        })
}
