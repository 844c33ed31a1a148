/// Changes how colourful the picture is: `feColorMatrix` of type `saturate` in the W3C's Filter Effects Module Level 1.
extension OperationDescriptor {
    static let saturation = OperationDescriptor(
        "saturation", "Makes colours stronger or paler.",
        formula: "matrix of W3C Filter Effects, saturate: 0.213, 0.715, 0.072 in every row, mixed with the identity by amount",
        parameters: [
            OperationParameter("amount", default: 1, neutral: 1, in: 0...4, unit: "factor", "0 is without colour")
        ],
        .pixelwise { instant in
            let luma = [0.213, 0.715, 0.072]
            return ColorMatrix(luma, luma, luma).mixedWithIdentity(1 - Double(instant["amount"])).stage
        })
}
