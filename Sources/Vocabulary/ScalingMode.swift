/// How a picture is fitted into a box.
package enum ScalingMode: String, CaseIterable, Hashable, Sendable, Codable {
    /// The whole picture is visible, with its aspect ratio kept.
    case aspectFit
    /// The picture covers the box, with its aspect ratio kept.
    case aspectFill
    /// The picture is stretched to the box.
    case fill
    /// One pixel of the picture is one pixel of `videoSize`, and the picture is centred.
    case none

    /// The factors by which the picture is scaled; nil if it is not scaled.
    /// - Parameters:
    ///   - x: the box's width over the picture's.
    ///   - y: the box's height over the picture's.
    package func scale<Number: Comparable>(_ x: Number, _ y: Number) -> (x: Number, y: Number)? {
        switch self {
        case .aspectFit: (min(x, y), min(x, y))
        case .aspectFill: (max(x, y), max(x, y))
        case .fill: (x, y)
        case .none: nil
        }
    }
}
