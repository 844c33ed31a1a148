public import ExactTime
public import Vocabulary

/// A text or a shape, whose numbers may change over time.
public protocol DrawnContent: Hashable, Sendable {
    associatedtype Number: DrawnNumber

    /// Those that change; nil where none does. What the content itself says of them does not count then.
    var numbers: [Number: AnimatedValue]? { get set }

    mutating func set(_ number: Number, to value: Double)
}

extension DrawnContent {
    /// What is drawn at one time: the same without anything that changes. Curves that overshoot stay at the end of what may be given.
    public func drawn(at time: MediaTime) -> Self {
        guard let numbers else { return self }
        var result = self
        result.numbers = nil
        for (number, value) in numbers {
            result.set(number, to: min(max(value.value(at: time), number.range.lowerBound), number.range.upperBound))
        }
        return result
    }

    /// With a number that is the same at all times, or changes.
    public mutating func set(_ number: Number, to value: AnimatedValue) {
        if let constant = value.constantValue {
            set(number, to: constant)
        } else {
            numbers = (numbers ?? [:]).merging([number: value]) { _, new in new }
        }
    }

    /// Whether the box that it is measured by changes.
    public var changesBox: Bool { numbers?.keys.contains(where: \.changesBox) == true }

    func mapNumbers(_ change: (AnimatedValue) -> AnimatedValue) -> Self {
        var result = self
        result.numbers = numbers?.mapValues(change)
        return result
    }
}

extension TextContent: DrawnContent {
    public mutating func set(_ number: TextNumber, to value: Double) {
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
    public mutating func set(_ number: ShapeNumber, to value: Double) {
        switch number {
        case .width: outline.width = value
        case .height: outline.height = value
        case .cornerRadius: outline.cornerRadius = value
        case .strokeWidth: stroke?.width = value
        }
    }
}

extension ShapeContent.Outline {
    /// Of the box.
    public var width: Double {
        get {
            switch self {
            case .rect(let width, _, _), .ellipse(let width, _), .path(_, let width, _): width
            }
        }
        set { self = with(width: newValue, height: height, cornerRadius: cornerRadius) }
    }

    /// Of the box.
    public var height: Double {
        get {
            switch self {
            case .rect(_, let height, _), .ellipse(_, let height), .path(_, _, let height): height
            }
        }
        set { self = with(width: width, height: newValue, cornerRadius: cornerRadius) }
    }

    /// 0 where there are no corners to be rounded.
    public var cornerRadius: Double {
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
