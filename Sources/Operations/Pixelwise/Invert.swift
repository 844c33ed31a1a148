/// Inverts every channel: `invert()` of the W3C's Filter Effects Module Level 1, a transfer table of `amount` and `1 -
/// amount`.
extension OperationDescriptor {
    static let invert = OperationDescriptor(
        "invert", "Turns every channel round, as a negative.",
        formula: "amount + c * (1 - 2 * amount) (W3C Filter Effects, invert)",
        parameters: [
            OperationParameter("amount", default: 1, neutral: 0, in: 0...1, unit: "share", "1 is the negative, 0.5 all grey")
        ],
        .pixelwise { instant in
            let amount = instant["amount"]
            let slope = 1 - 2 * amount
            return { row in row.mapChannels { amount + $0 * slope } }
        })
}
