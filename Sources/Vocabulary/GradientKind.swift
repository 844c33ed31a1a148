/// How the colours of a gradient lie.
package enum GradientKind: String, CaseIterable, Hashable, Sendable, Codable {
    /// Along a line.
    case linear
    /// In ellipses around a point.
    case radial
    /// Clockwise around a point.
    case angular
}
