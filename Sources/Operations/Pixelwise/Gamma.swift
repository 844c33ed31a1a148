#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The middle tones' brightness, black and white staying: the power 1 / gamma, as FFmpeg's `eq` filter and the levels of
/// photo editors have it.
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
