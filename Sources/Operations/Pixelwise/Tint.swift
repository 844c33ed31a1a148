/// Shifts colours towards green or magenta, as the tint of GPUImage's `GPUImageWhiteBalanceFilter` does: it adds to Q
/// of YIQ, limited to Q's range. The formula is written for red, green and blue, so that the two conversion matrices
/// add no rounding.
extension OperationDescriptor {
    static let tint = OperationDescriptor(
        "tint", "Moves colours towards green or magenta.",
        formula:
            "q = 0.212r - 0.523g + 0.311b; q' = clamp(q + 0.05226 amount, -0.5226, 0.5226); c + (q' - q) * (0.621, -0.647, 1.702) (GPUImage white balance)",
        parameters: [
            OperationParameter(
                "amount", default: 0, neutral: 0, in: -2...2, unit: "factor", "below 0 is greener, above more magenta")
        ],
        .pixelwise { instant in
            let shift = 0.05226 * instant["amount"]
            return { row in
                row.mapColors { r, g, b in
                    let q = 0.212 * r - 0.523 * g + 0.311 * b
                    let moved = max(-0.5226, min(0.5226, q + shift)) - q
                    return (r + 0.621 * moved, g - 0.647 * moved, b + 1.702 * moved)
                }
            }
        })
}
