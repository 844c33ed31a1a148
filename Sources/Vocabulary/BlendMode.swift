/// How a layer's colours meet those below it (W3C Compositing and Blending Level 1; `add` and `subtract` as editors have them).
public enum BlendMode: String, CaseIterable, Hashable, Sendable, Codable {
    case normal
    case multiply, screen, overlay
    case darken, lighten
    case colorDodge, colorBurn
    case softLight, hardLight
    case difference, exclusion
    case add, subtract
}
