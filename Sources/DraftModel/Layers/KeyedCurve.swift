package import ExactTime
import Vocabulary

/// A number over time, given by keyframes. `animations` and the animated `speed` of a clip consist of it.
package struct KeyedCurve: Hashable, Sendable, Encodable {
    /// The times of the keyframes, in ascending order, 0 or above.
    package var keyTimes: [MediaTime]
    /// The values, one for each keyframe.
    package var values: [Double]
    /// The easings, one for each interval between keyframes; nil means that all are linear.
    package var timingFunctions: [TimingFunction]?

    package init(keyTimes: [MediaTime], values: [Double], timingFunctions: [TimingFunction]? = nil) {
        self.keyTimes = keyTimes
        self.values = values
        self.timingFunctions = timingFunctions
    }
}

extension KeyedCurve {
    /// - Parameters:
    ///   - range: the range of the values; nil if it is unknown.
    ///   - limit: the greatest number of keyframes.
    init?(_ reader: inout ObjectReader, in range: ClosedRange<Double>?, atMost limit: Int = DraftLimits.keyframes) {
        let times = reader.list("keyTimes", required: true, atMost: limit, "a time: a number of seconds or \"num/den\"") {
            value in
            (value.number ?? value.text.flatMap { Rational(text: $0) }).map { MediaTime($0) }
        }
        let values = reader.list("values", required: true, atMost: limit, "a number") { $0.double }
        let functions = reader.list("timingFunctions", required: false, atMost: limit, TimingFunction.expectation) { value in
            value.text.flatMap { TimingFunction($0) }
        }
        guard let times, let values, reader.count(.keyframes, values.count) else { return nil }
        self.init(keyTimes: times, values: values, timingFunctions: functions)
        check(&reader, range)
    }

    private func check(_ reader: inout ObjectReader, _ range: ClosedRange<Double>?) {
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
        for (index, value) in values.enumerated() {
            guard let range, !range.contains(value) else { continue }
            reader.report(
                "values[\(index)]", .outOfRange, "must be \(range.shortText), not \(value.shortText)")
        }
        if let timingFunctions, timingFunctions.count != max(0, keyTimes.count - 1) {
            reader.report(
                "timingFunctions", .conflict,
                "are \(timingFunctions.count), but \(keyTimes.count) key times have \(max(0, keyTimes.count - 1)) intervals")
        }
    }
}

extension ObjectReader {
    /// Reads an array of plain values. If an element is faulty, it is reported and the result is nil.
    fileprivate mutating func list<Element>(
        _ name: String, required: Bool, atMost limit: Int, _ expected: String, _ convert: (JSONValue) -> Element?
    ) -> [Element]? {
        guard let value = value(name) else {
            if required { report(name, .missingField, "is required") }
            return nil
        }
        guard case .array(let elements) = value else {
            report(name, .wrongType, "must be an array, not \(value.kind)")
            return nil
        }
        guard isWithin(limit, elements.count, name) else { return nil }
        let converted = elements.map(convert)
        for (index, element) in converted.enumerated() where element == nil {
            let isBeyond = elements[index].isBeyondRange
            report(
                "\(name)[\(index)]", isBeyond ? .outOfRange : .invalidValue,
                "must be \(expected)\(isBeyond ? " that 64 bits can hold" : "")")
        }
        return converted.contains { $0 == nil } ? nil : converted.compactMap { $0 }
    }
}
