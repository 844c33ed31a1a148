package import ExactTime
package import Vocabulary

/// A text or a shape whose numbers may change over time.
package protocol DrawnContent: Hashable, Sendable {
    associatedtype Number: AnimatableNumber

    /// The numbers that change, which replace the content's own values of them; nil where none changes.
    var numbers: [Number: AnimatedValue]? { get set }

    mutating func set(_ number: Number, to value: Double)
}

extension DrawnContent {
    /// The content as it is drawn at one time, with constant numbers. Values of curves that overshoot are clamped to
    /// the number's range.
    package func drawn(at time: MediaTime) -> Self {
        guard let numbers else { return self }
        var result = self
        result.numbers = nil
        for (number, value) in numbers {
            result.set(number, to: min(max(value.value(at: time), number.range.lowerBound), number.range.upperBound))
        }
        return result
    }

    /// Sets a number to a value that is constant or changes.
    package mutating func set(_ number: Number, to value: AnimatedValue) {
        if let constant = value.constantValue {
            set(number, to: constant)
        } else {
            numbers = (numbers ?? [:]).merging([number: value]) { _, new in new }
        }
    }

    /// Whether the content's box changes, by which it is measured.
    package var changesSize: Bool { numbers?.keys.contains(where: \.changesSize) == true }

    func mapNumbers(_ change: (AnimatedValue) -> AnimatedValue) -> Self {
        var result = self
        result.numbers = numbers?.mapValues(change)
        return result
    }
}

extension TextContent: DrawnContent {
    package mutating func set(_ number: TextNumber, to value: Double) {
        switch number {
        case .letterSpacing: letterSpacing = value
        case .lineSpacing: lineSpacing = value
        case .boxWidth: box.width = value
        case .boxHeight: box.height = value
        case .strokeWidth: stroke?.width = value
        case .shadowX: shadow?.x = value
        case .shadowY: shadow?.y = value
        case .shadowBlur: shadow?.blur = value
        case .padding: backgroundBox?.padding = value
        case .cornerRadius: backgroundBox?.cornerRadius = value
        }
    }
}

extension ShapeContent: DrawnContent {
    package mutating func set(_ number: ShapeNumber, to value: Double) {
        switch number {
        case .width: outline.width = value
        case .height: outline.height = value
        case .cornerRadius: outline.cornerRadius = value
        case .strokeWidth: stroke?.width = value
        case .trimStart: stroke?.trim?.start = value
        case .trimEnd: stroke?.trim?.end = value
        case .trimOffset: stroke?.trim?.offset = value
        case .morph: morph?.place = value
        }
    }
}

extension ShapeContent.Outline {
    /// The width of the box.
    package var width: Double {
        get {
            switch self {
            case .rect(let width, _, _), .ellipse(let width, _), .path(_, let width, _): width
            }
        }
        set { self = with(width: newValue, height: height, cornerRadius: cornerRadius) }
    }

    /// The height of the box.
    package var height: Double {
        get {
            switch self {
            case .rect(_, let height, _), .ellipse(_, let height), .path(_, _, let height): height
            }
        }
        set { self = with(width: width, height: newValue, cornerRadius: cornerRadius) }
    }

    /// The corner radius; 0 for outlines without corners to round.
    package var cornerRadius: Double {
        get { if case .rect(_, _, let radius) = self { radius } else { 0 } }
        set { self = with(width: width, height: height, cornerRadius: newValue) }
    }

    private func with(width: Double, height: Double, cornerRadius: Double) -> ShapeContent.Outline {
        switch self {
        case .rect: .rect(width: width, height: height, cornerRadius: cornerRadius)
        case .ellipse: .ellipse(width: width, height: height)
        case .path(let data, _, _): .path(data: data, width: width, height: height)
        }
    }
}
