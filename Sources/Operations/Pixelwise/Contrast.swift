/// Spreads the channels around middle grey: `contrast()` of the W3C's Filter Effects Module Level 1, a linear transfer
/// function of slope `amount` and intercept `0.5 - 0.5 * amount`.
extension OperationDescriptor {
    static let contrast = OperationDescriptor(
        "contrast", "Spreads light and dark around middle grey.",
        formula: "(c - 0.5) * amount + 0.5 (W3C Filter Effects, contrast)",
        parameters: [
            OperationParameter("amount", default: 1, neutral: 1, in: 0...4, unit: "factor", "0 is all grey")
        ],
        .pixelwise { instant in
            let amount = instant["amount"]
            return { row in row.mapChannels { ($0 - 0.5) * amount + 0.5 } }
        })
}
