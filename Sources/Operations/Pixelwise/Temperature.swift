/// Makes the picture warmer or cooler, as the temperature of GPUImage's `GPUImageWhiteBalanceFilter` does: an overlay
/// blend with the warm colour (0.93, 0.54, 0). The share of the blend is 0.0004 per kelvin below 5000 (negative, which
/// is cooler) and 0.00006 per kelvin above.
extension OperationDescriptor {
    static let temperature = OperationDescriptor(
        "temperature", "Makes the picture warmer or cooler.",
        formula:
            "mix(c, overlay(c, w), m), w = (0.93, 0.54, 0), m = 0.0004 (kelvin - 5000) below 5000, 0.00006 (kelvin - 5000) above; overlay(c, w) = 2cw where c < 0.5, else 1 - 2(1 - c)(1 - w) (GPUImage white balance)",
        parameters: [
            OperationParameter(
                "kelvin", default: 5000, neutral: 5000, in: 2500...20_000, unit: "kelvin", "below 5000 is cooler, above warmer")
        ],
        .pixelwise { instant in
            let distance = instant["kelvin"] - 5000
            let share = distance < 0 ? 0.0004 * distance : 0.00006 * distance
            let warm: [Float] = [0.93, 0.54, 0]
            return { row in
                for (channel, w) in zip(row.colors, warm) {
                    for x in 0..<row.count {
                        let c = channel[x]
                        let overlaid = c < 0.5 ? 2 * c * w : 1 - 2 * (1 - c) * (1 - w)
                        channel[x] = c + (overlaid - c) * share
                    }
                }
            }
        })
}
