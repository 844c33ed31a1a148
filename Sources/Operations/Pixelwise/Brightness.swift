/// Adds the same amount to every channel (GPUImage's `GPUImageBrightnessFilter`).
extension OperationDescriptor {
    static let brightness = OperationDescriptor(
        "brightness", "Lightens or darkens by the same amount everywhere.",
        formula: "c + amount (GPUImage)",
        parameters: [
            OperationParameter("amount", default: 0, neutral: 0, in: -1...1, unit: "of full scale", "what is added")
        ],
        .pixelwise { instant in
            let amount = instant["amount"]
            return { row in row.mapChannels { $0 + amount } }
        })
}
