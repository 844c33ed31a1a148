import Glibc

/// Lightens the dark parts, as the shadows of GPUImage's `GPUImageHighlightShadowFilter` do.
extension OperationDescriptor {
    static let shadows = OperationDescriptor(
        "shadows", "Lightens the dark parts.",
        formula:
            "l = 0.3(r + g + b); c * (l + s) / l, s = clamp(l^p - 0.76 l^2p - l, 0, 1), p = 1 / (1 + amount) (GPUImage)",
        parameters: [
            OperationParameter("amount", default: 0, neutral: 0, in: 0...1, unit: "share", "how much lighter")
        ],
        .pixelwise { instant in
            let power = 1 / (1 + (instant.values["amount"] ?? 0))
            return ToneGain { l in l + max(0, min(1, pow(l, power) - 0.76 * pow(l, 2 * power) - l)) }.stage
        })
}
