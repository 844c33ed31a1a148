import ExactTime
import Vocabulary

/// An animated property. Before the first and after the last keyframe it keeps the value of that keyframe.
package struct Animation: Hashable, Sendable {
    /// The property, as in `opacity`.
    package var keyPath: String
    /// The keyframes. Their times count from the start of the clip or layer.
    package var curve: KeyedCurve

    package init(keyPath: String, _ curve: KeyedCurve) {
        self.keyPath = keyPath
        self.curve = curve
    }
}

extension Animation: Encodable {
    private enum CodingKeys: String, CodingKey { case keyPath }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(keyPath, forKey: .keyPath)
        try curve.encode(to: encoder)
    }
}

/// A property that may be animated.
struct AnimatableProperty {
    /// The key path. A final `.*` matches any single name.
    var keyPath: String
    var range: ClosedRange<Double>

    func matches(_ path: String) -> Bool {
        guard keyPath.hasSuffix(".*") else { return path == keyPath }
        let start = keyPath.dropLast()
        return path.hasPrefix(start) && path.count > start.count && !path.dropFirst(start.count).contains { ".[".contains($0) }
    }
}

extension ObjectReader {
    /// Reads `animations`. No two of them may animate the same property.
    /// - Parameter properties: the properties that may be animated.
    mutating func animations(of properties: [AnimatableProperty]) -> [Animation]? {
        guard let animations = array("animations", atMost: DraftLimits.animations, { Animation(&$0, properties) }) else {
            return nil
        }
        var seen: Set<String> = []
        for (index, animation) in animations.enumerated() where !seen.insert(animation.keyPath).inserted {
            report(
                "animations[\(index)].keyPath", .conflict,
                "'\(animation.keyPath)' is animated already; put all its keyframes into one animation")
        }
        return animations
    }
}

extension TimingFunction {
    /// The allowed values, for messages.
    static var expectation: String {
        "one of \(names.joined(separator: ", ")), or cubicBezier(x1,y1,x2,y2) with both x within 0...1; "
            + "the names of easings.net (easeInCubic) and CSS (ease-in) are known too"
    }
}

extension ObjectReader {
    mutating func timingFunction(_ name: String) -> TimingFunction? {
        guard let text = string(name) else { return nil }
        if let function = TimingFunction(text) { return function }
        report(name, .invalidValue, "must be \(TimingFunction.expectation)")
        return nil
    }
}

extension Animation {
    fileprivate init?(_ reader: inout ObjectReader, _ properties: [AnimatableProperty]) {
        let property = Animation.property(&reader, properties)
        guard let curve = KeyedCurve(&reader, in: property?.range), let property else { return nil }
        self.init(keyPath: property.keyPath, curve)
    }

    private static func property(_ reader: inout ObjectReader, _ properties: [AnimatableProperty]) -> AnimatableProperty? {
        guard let keyPath = reader.string("keyPath", required: true, atMost: 2 * DraftLimits.nameBytes) else { return nil }
        if let property = properties.first(where: { $0.matches(keyPath) }) {
            return AnimatableProperty(keyPath: keyPath, range: property.range)
        }
        let names = properties.map(\.keyPath)
        let nearest = reader.isFull ? "" : nearestName(to: keyPath, among: names).map { "; did you mean '\($0)'?" } ?? ""
        reader.report(
            "keyPath", .invalidValue,
            "'\(keyPath)' cannot be animated; the animatable properties are \(names.joined(separator: ", "))\(nearest)")
        return nil
    }
}
