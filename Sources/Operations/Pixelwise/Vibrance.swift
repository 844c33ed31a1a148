/// Strengthens pale colours and strong colours by different amounts (GPUImage's `GPUImageVibranceFilter`). Each channel
/// moves away from the brightest one in proportion to how far the brightest is above the mean.
extension OperationDescriptor {
    static let vibrance = OperationDescriptor(
        "vibrance", "Strengthens colours, differently by how strong they are.",
        formula: "mix(c, max, -3 amount (max - mean)), max and mean of the three channels (GPUImage)",
        parameters: [
            OperationParameter("amount", default: 0, neutral: 0, in: -1.2...1.2, unit: "factor", "below 0 is paler")
        ],
        .pixelwise { instant in
            let amount = instant["amount"]
            return { row in
                row.mapColors { r, g, b in
                    let most = max(r, max(g, b))
                    let share = (most - (r + g + b) / 3) * (-3 * amount)
                    return (r + (most - r) * share, g + (most - g) * share, b + (most - b) * share)
                }
            }
        })
}
