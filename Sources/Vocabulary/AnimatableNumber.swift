/// A number of a text or shape that can be animated, named by its key path below the `source` of a layer or mask.
///
/// Drafts use these lists to decide what may be animated, and plans name the animated numbers by them. A new number
/// needs a case here with its range, and the line in `ExportPlan` that sets it.
package protocol AnimatableNumber: RawRepresentable<String>, CaseIterable, Hashable, Sendable, Codable, CodingKeyRepresentable {
    /// The allowed range in a draft. Curves that overshoot are clamped to it.
    var range: ClosedRange<Double> { get }
    /// The object that must be present for the number to have an effect; nil if there is none.
    var owner: String? { get }
    /// Whether a draft must give the number. Then it may have a constant value beside its animation.
    var isRequired: Bool { get }
    /// Whether the number changes the size of the drawing.
    var changesSize: Bool { get }
}

/// The numbers of a text.
package enum TextNumber: String, AnimatableNumber {
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

    package var range: ClosedRange<Double> {
        switch self {
        case .letterSpacing, .shadowX, .shadowY: -1000...1000
        case .lineSpacing: 0.01...10
        case .boxWidth, .boxHeight: 1...16_384
        case .strokeWidth, .padding, .cornerRadius: 0...1000
        case .shadowBlur: 0...200
        }
    }

    package var owner: String? {
        switch self {
        case .letterSpacing, .lineSpacing, .boxWidth, .boxHeight: nil
        case .strokeWidth: "stroke"
        case .shadowX, .shadowY, .shadowBlur: "shadow"
        case .padding, .cornerRadius: "backgroundBox"
        }
    }

    package var isRequired: Bool { self == .strokeWidth }

    package var changesSize: Bool { owner == nil }
}

/// The numbers of a shape.
package enum ShapeNumber: String, AnimatableNumber {
    case width = "size.width"
    case height = "size.height"
    /// The radius of a rectangle's corners.
    case cornerRadius
    case strokeWidth = "stroke.width"
    /// Where the part of the outline that is drawn begins and ends, in fractions of its length.
    case trimStart = "stroke.trim.start"
    case trimEnd = "stroke.trim.end"
    /// How far that part is moved along the outline, in fractions of its length.
    case trimOffset = "stroke.trim.offset"
    /// How far the path has turned into those of `morphTo`: 1 is the first of them.
    case morph

    package var range: ClosedRange<Double> {
        switch self {
        case .width, .height: 1...16_384
        case .cornerRadius: 0...16_384
        case .strokeWidth: 0...1000
        case .trimStart, .trimEnd: 0...1
        case .trimOffset: -1000...1000
        case .morph: 0...16
        }
    }

    package var owner: String? {
        switch self {
        case .width, .height, .cornerRadius: nil
        case .strokeWidth: "stroke"
        case .trimStart, .trimEnd, .trimOffset: "stroke.trim"
        case .morph: "morphTo"
        }
    }

    package var isRequired: Bool { [.width, .height, .strokeWidth].contains(self) }

    package var changesSize: Bool { self == .width || self == .height }
}
