package import Vocabulary

/// The blend function `B(Cb, Cs)` of a blend mode, channel by channel: W3C Compositing and Blending Level 1, section
/// 9.1. `add` and `subtract` are the sum and the difference, clipped to 0...1.
package struct BlendFormula: Sendable {
    private let mode: BlendMode

    package init(_ mode: BlendMode) {
        self.mode = mode
    }

    /// The source's colour after blending with the backdrop: `(1 - ab) Cs + ab B(Cb, Cs)`.
    /// - Parameters:
    ///   - source, backdrop: red, green and blue, 0...1.
    ///   - covered: the backdrop's alpha, 0...1.
    package func blend(_ source: SIMD3<Float>, over backdrop: SIMD3<Float>, covered: Float) -> SIMD3<Float> {
        var result = SIMD3<Float>()
        for channel in 0..<3 {
            result[channel] = (1 - covered) * source[channel] + covered * mix(backdrop[channel], source[channel])
        }
        return result
    }

    /// The blend function for one channel.
    package func mix(_ backdrop: Float, _ source: Float) -> Float {
        switch mode {
        case .normal: source
        case .multiply: backdrop * source
        case .screen: backdrop + source - backdrop * source
        case .overlay: hardLight(source, backdrop)
        case .darken: min(backdrop, source)
        case .lighten: max(backdrop, source)
        case .colorDodge: backdrop == 0 ? 0 : source >= 1 ? 1 : min(1, backdrop / (1 - source))
        case .colorBurn: backdrop >= 1 ? 1 : source <= 0 ? 0 : 1 - min(1, (1 - backdrop) / source)
        case .hardLight: hardLight(backdrop, source)
        case .softLight: softLight(backdrop, source)
        case .difference: abs(backdrop - source)
        case .exclusion: backdrop + source - 2 * backdrop * source
        case .add: min(1, backdrop + source)
        case .subtract: max(0, backdrop - source)
        }
    }

    private func hardLight(_ backdrop: Float, _ source: Float) -> Float {
        guard source > 0.5 else { return backdrop * 2 * source }
        let upper = 2 * source - 1
        return backdrop + upper - backdrop * upper
    }

    private func softLight(_ backdrop: Float, _ source: Float) -> Float {
        guard source > 0.5 else { return backdrop - (1 - 2 * source) * backdrop * (1 - backdrop) }
        let soft = backdrop <= 0.25 ? ((16 * backdrop - 12) * backdrop + 4) * backdrop : backdrop.squareRoot()
        return backdrop + (2 * source - 1) * (soft - backdrop)
    }
}
