/// A number of something drawn that may change over time, by its key path below the `source` of a layer or mask.
///
/// Drafts read by these lists what may be animated, plans name by them what moves: a further number is a case here with its range, and
/// the line in `ExportPlan` that sets it.
public protocol DrawnNumber: RawRepresentable<String>, CaseIterable, Hashable, Sendable, Codable, CodingKeyRepresentable {
    /// What a draft may say; curves that overshoot stay at its ends.
    var range: ClosedRange<Double> { get }
    /// The object that has to be there for the number to mean something.
    var owner: String? { get }
    /// Whether a draft has to give it, and so gives it beside its animation, too.
    var isRequired: Bool { get }
    /// Whether the box that the drawing is measured by grows with it.
    var changesBox: Bool { get }
}

/// The numbers of a text.
public enum TextNumber: String, DrawnNumber {
    case letterSpacing
    case lineSpacing
    case boxWidth = "box.width"
    case boxHeight = "box.height"
    case strokeWidth = "stroke.width"
    case shadowX = "shadow.offset.x"
    case shadowY = "shadow.offset.y"
    case shadowBlur = "shadow.blur"
    case padding = "backgroundBox.padding"
    case cornerRadius = "backgroundBox.cornerRadius"

    public var range: ClosedRange<Double> {
        switch self {
        case .letterSpacing, .shadowX, .shadowY: -1000...1000
        case .lineSpacing: 0.01...10
        case .boxWidth, .boxHeight: 1...16_384
        case .strokeWidth, .padding, .cornerRadius: 0...1000
        case .shadowBlur: 0...200
        }
    }

    public var owner: String? {
        switch self {
        case .letterSpacing, .lineSpacing, .boxWidth, .boxHeight: nil
        case .strokeWidth: "stroke"
        case .shadowX, .shadowY, .shadowBlur: "shadow"
        case .padding, .cornerRadius: "backgroundBox"
        }
    }

    public var isRequired: Bool { self == .strokeWidth }

    public var changesBox: Bool { owner == nil }
}

/// The numbers of a shape.
public enum ShapeNumber: String, DrawnNumber {
    case width = "size.width"
    case height = "size.height"
    /// Of a rect.
    case cornerRadius
    case strokeWidth = "stroke.width"

    public var range: ClosedRange<Double> {
        switch self {
        case .width, .height: 1...16_384
        case .cornerRadius: 0...16_384
        case .strokeWidth: 0...1000
        }
    }

    public var owner: String? { self == .strokeWidth ? "stroke" : nil }

    public var isRequired: Bool { self != .cornerRadius }

    public var changesBox: Bool { self == .width || self == .height }
}
