public import ExactTime
import Spelling

/// A property that changes over time: values at key times, joined by timing functions. Before the first and after the last
/// key the end value holds.
public struct Animation: Hashable, Sendable, Encodable {
    /// The property, as in `opacity`.
    public var keyPath: String
    /// Rising, counted from the start of the clip or layer.
    public var keyTimes: [MediaTime]
    /// One for each key time.
    public var values: [Double]
    /// One for each interval between keys; all `linear` when absent.
    public var timingFunctions: [TimingFunction]?

    public init(keyPath: String, keyTimes: [MediaTime], values: [Double], timingFunctions: [TimingFunction]? = nil) {
        self.keyPath = keyPath
        self.keyTimes = keyTimes
        self.values = values
        self.timingFunctions = timingFunctions
    }
}

/// A property that may be animated.
struct AnimatableProperty {
    /// `.*` at the end stands for any one name.
    var keyPath: String
    var range: ClosedRange<Double>

    func matches(_ path: String) -> Bool {
        guard keyPath.hasSuffix(".*") else { return path == keyPath }
        let start = keyPath.dropLast()
        return path.hasPrefix(start) && path.count > start.count && !path.dropFirst(start.count).contains { ".[".contains($0) }
    }
}

extension ObjectReader {
    /// Reads `animations`, each of a property of its own.
    /// - Parameter properties: what may be animated.
    mutating func animations(of properties: [AnimatableProperty]) -> [Animation]? {
        guard let animations = array("animations", { Animation(&$0, properties) }) else { return nil }
        var seen: Set<String> = []
        for (index, animation) in animations.enumerated() where !seen.insert(animation.keyPath).inserted {
            report("animations[\(index)].keyPath", .conflict, "'\(animation.keyPath)' is animated already")
        }
        return animations
    }

    /// The elements of an array of plain values; a faulty one is reported and makes the whole nil.
    fileprivate mutating func list<Element>(
        _ name: String, required: Bool, _ expected: String, _ convert: (JSONValue) -> Element?
    ) -> [Element]? {
        guard let value = value(name) else {
            if required { report(name, .missingField, "is required") }
            return nil
        }
        guard case .array(let elements) = value else {
            report(name, .wrongType, "must be an array, not \(value.kind)")
            return nil
        }
        let converted = elements.map(convert)
        for (index, element) in converted.enumerated() where element == nil {
            report("\(name)[\(index)]", .invalidValue, "must be \(expected)")
        }
        return converted.contains { $0 == nil } ? nil : converted.compactMap { $0 }
    }
}

extension TimingFunction {
    /// What a draft may write.
    fileprivate static var expectation: String {
        "one of \(names.joined(separator: ", ")), or cubicBezier(x1,y1,x2,y2) with both x within 0...1"
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
        let times = reader.list("keyTimes", required: true, "a time: a number of seconds or \"num/den\"") { value in
            (value.number ?? value.text.flatMap { Rational(text: $0) }).map { MediaTime($0) }
        }
        let values = reader.list("values", required: true, "a number") { $0.double }
        let functions = reader.list(
            "timingFunctions", required: false,
            TimingFunction.expectation
        ) { $0.text.flatMap { TimingFunction($0) } }
        guard let property, let times, let values else { return nil }
        self.init(keyPath: property.keyPath, keyTimes: times, values: values, timingFunctions: functions)
        check(&reader, property.range)
    }

    private static func property(_ reader: inout ObjectReader, _ properties: [AnimatableProperty]) -> AnimatableProperty? {
        guard let keyPath = reader.string("keyPath", required: true) else { return nil }
        if let property = properties.first(where: { $0.matches(keyPath) }) {
            return AnimatableProperty(keyPath: keyPath, range: property.range)
        }
        let names = properties.map(\.keyPath)
        let nearest = nearestName(to: keyPath, among: names).map { "; did you mean '\($0)'?" } ?? ""
        reader.report(
            "keyPath", .invalidValue, "'\(keyPath)' cannot be animated; what can is \(names.joined(separator: ", "))\(nearest)")
        return nil
    }

    private func check(_ reader: inout ObjectReader, _ range: ClosedRange<Double>) {
        if keyTimes.isEmpty { reader.report("keyTimes", .invalidValue, "must have at least one key") }
        for (index, pair) in zip(keyTimes, keyTimes.dropFirst()).enumerated() where pair.1 <= pair.0 {
            reader.report("keyTimes[\(index + 1)]", .invalidValue, "must be above the one before it, \(pair.0) s")
        }
        if let first = keyTimes.first, first < .zero {
            reader.report("keyTimes[0]", .outOfRange, "must be at least 0 s, not \(first)")
        }
        if values.count != keyTimes.count {
            reader.report("values", .conflict, "are \(values.count), but there are \(keyTimes.count) key times")
        }
        for (index, value) in values.enumerated() where !range.contains(value) {
            reader.report(
                "values[\(index)]", .outOfRange, "must be \(range.lowerBound)...\(range.upperBound), not \(value)")
        }
        if let timingFunctions, timingFunctions.count != max(0, keyTimes.count - 1) {
            reader.report(
                "timingFunctions", .conflict,
                "are \(timingFunctions.count), but \(keyTimes.count) key times have \(max(0, keyTimes.count - 1)) intervals")
        }
    }
}
