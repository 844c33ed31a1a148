import Glibc

/// Changes the brightness of the middle tones; black and white stay. The exponent is 1 / gamma, as in FFmpeg's `eq`
/// filter and in the levels of photo editors.
extension OperationDescriptor {
    static let gamma = OperationDescriptor(
        "gamma", "Lightens or darkens the middle tones; black and white stay.",
        formula: "c^(1 / amount), c limited to 0...1 (as FFmpeg's eq)",
        parameters: [
            OperationParameter("amount", default: 1, neutral: 1, in: 0.1...10, unit: "exponent", "above 1 is lighter")
        ],
        .pixelwise { instant in
            let power = 1 / (instant.values["amount"] ?? 1)
            let curve = ToneCurve { pow($0, power) }
            return { row in row.colors.forEach { curve.apply(to: $0, count: row.count) } }
        })
}
