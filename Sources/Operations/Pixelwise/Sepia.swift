/// Gives the picture the brown of old photographs: `sepia()` of the W3C's Filter Effects Module Level 1.
extension OperationDescriptor {
    static let sepia = OperationDescriptor(
        "sepia", "Tones the picture brown as old photographs are.",
        formula:
            "matrix [0.393, 0.769, 0.189; 0.349, 0.686, 0.168; 0.272, 0.534, 0.131] mixed with the identity by 1 - amount (W3C Filter Effects, sepia)",
        parameters: [
            OperationParameter("amount", default: 1, neutral: 0, in: 0...1, unit: "share", "1 is all brown")
        ],
        .pixelwise { instant in
            ColorMatrix([0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131])
                .mixedWithIdentity(Double(instant["amount"])).stage
        })
}
