/// How a layer's colours are blended with those below it, as in W3C Compositing and Blending Level 1. `add` and
/// `subtract` work as in video editors.
package enum BlendMode: String, CaseIterable, Hashable, Sendable, Codable {
    case normal
    case multiply, screen, overlay
    case darken, lighten
    case colorDodge, colorBurn
    case softLight, hardLight
    case difference, exclusion
    case add, subtract
    case hue, saturation, color, luminosity

    /// Whether red, green and blue are blended each by itself (W3C's separable modes).
    package var isSeparable: Bool {
        switch self {
        case .hue, .saturation, .color, .luminosity: false
        default: true
        }
    }
}
