/// Removes colour: `grayscale()` of the W3C's Filter Effects Module Level 1, by BT.709 luma.
extension OperationDescriptor {
    static let grayscale = OperationDescriptor(
        "grayscale", "Takes colour away.",
        formula:
            "matrix of W3C Filter Effects, grayscale: 0.2126, 0.7152, 0.0722 in every row, mixed with the identity by 1 - amount",
        parameters: [
            OperationParameter("amount", default: 1, neutral: 0, in: 0...1, unit: "share", "1 is without colour")
        ],
        .pixelwise { instant in
            let luma = [0.2126, 0.7152, 0.0722]
            return ColorMatrix(luma, luma, luma).mixedWithIdentity(Double(instant["amount"])).stage
        })
}
