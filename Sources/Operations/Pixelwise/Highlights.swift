import Glibc

/// Darkens the bright parts, as the highlights of GPUImage's `GPUImageHighlightShadowFilter` do. GPUImage's parameter
/// is `1 - amount` here, so that 0 is neutral.
extension OperationDescriptor {
    static let highlights = OperationDescriptor(
        "highlights", "Darkens the bright parts.",
        formula:
            "l = 0.3(r + g + b); c * (l + h) / l, h = clamp(1 - ((1 - l)^p - 0.8 (1 - l)^2p) - l, -1, 0), p = 1 / (1 + amount) (GPUImage, highlights = 1 - amount)",
        parameters: [
            OperationParameter("amount", default: 0, neutral: 0, in: 0...1, unit: "share", "how much darker")
        ],
        .pixelwise { instant in
            let power = 1 / (1 + (instant.values["amount"] ?? 0))
            return ToneGain { l in
                l + max(-1, min(0, 1 - (pow(1 - l, power) - 0.8 * pow(1 - l, 2 * power)) - l))
            }.stage
        })
}
