/// How a picture is fitted into a box.
public enum ScalingMode: String, CaseIterable, Hashable, Sendable, Codable {
    /// All of it is seen, its aspect kept.
    case aspectFit
    /// The box is covered, the aspect kept.
    case aspectFill
    /// Stretched to the box.
    case fill
    /// One pixel of it is one pixel of `videoSize`, centred.
    case none

    /// How much larger the picture becomes; nil where its pixels keep their size.
    /// - Parameters:
    ///   - x: the box's width over the picture's.
    ///   - y: the box's height over the picture's.
    public func scale<Number: Comparable>(_ x: Number, _ y: Number) -> (x: Number, y: Number)? {
        switch self {
        case .aspectFit: (min(x, y), min(x, y))
        case .aspectFill: (max(x, y), max(x, y))
        case .fill: (x, y)
        case .none: nil
        }
    }
}
