package import Vocabulary

/// The blend function `B(Cb, Cs)` of a blend mode: W3C Compositing and Blending Level 1, section 9. `add` and `subtract`
/// are the sum and the difference, clipped to 0...1.
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
        (1 - covered) * source + covered * mix(backdrop, source)
    }

    /// The blend function for a colour; red, green and blue are 0...1 before and after.
    package func mix(_ backdrop: SIMD3<Float>, _ source: SIMD3<Float>) -> SIMD3<Float> {
        switch mode {
        case .hue: source.withSaturation(backdrop.saturation).withLuminosity(backdrop.luminosity)
        case .saturation: backdrop.withSaturation(source.saturation).withLuminosity(backdrop.luminosity)
        case .color: source.withLuminosity(backdrop.luminosity)
        case .luminosity: backdrop.withLuminosity(source.luminosity)
        default: SIMD3(mix(backdrop.x, source.x), mix(backdrop.y, source.y), mix(backdrop.z, source.z))
        }
    }

    /// The blend function of a separable mode for one channel.
    private func mix(_ backdrop: Float, _ source: Float) -> Float {
        switch mode {
        case .normal, .hue, .saturation, .color, .luminosity: source
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

/// Saturation and luminosity as section 9.2 defines them.
extension SIMD3<Float> {
    fileprivate var saturation: Float { max() - min() }

    fileprivate var luminosity: Float { 0.3 * x + 0.59 * y + 0.11 * z }

    /// `SetSat`: the colour with its least channel at 0 and its greatest one at `saturation`. A grey has no hue and becomes
    /// black.
    fileprivate func withSaturation(_ saturation: Float) -> SIMD3 {
        let range = self.saturation
        return range > 0 ? (self - min()) * (saturation / range) : .zero
    }

    /// `SetLum` and `ClipColor`: the colour moved to the luminosity. What would leave 0...1 comes closer to the grey of that
    /// luminosity, so that the hue stays.
    fileprivate func withLuminosity(_ luminosity: Float) -> SIMD3 {
        let grey = Swift.min(1, Swift.max(0, luminosity))
        var color = self + (grey - self.luminosity)
        let (least, greatest) = (color.min(), color.max())
        if least < 0 { color = grey + (color - grey) * (grey / (grey - least)) }
        if greatest > 1 { color = grey + (color - grey) * ((1 - grey) / (greatest - grey)) }
        return color.clamped(lowerBound: .zero, upperBound: .one)
    }
}
