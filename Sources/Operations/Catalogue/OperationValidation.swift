package import ExportPlan
import Vocabulary

/// One error in an operation, with its path in the document.
package struct OperationFault: Equatable, Sendable {
    /// The codes have the same texts as the codes of draft diagnostics.
    package enum Code: String, Sendable {
        /// There is no operation of this name.
        case invalidValue
        /// There is no parameter of this name, or a file is given to an operation that reads none.
        case unknownField
        case outOfRange
        /// The operation needs a file, but none is given.
        case missingField
    }

    /// The path, such as `filters[0].amount`.
    package var path: String
    package var code: Code
    /// What is wrong, and how to correct it.
    package var message: String
}

extension OperationCatalogue {
    /// All errors in these operations. Empty if they can be run.
    /// - Parameter path: the path of the list in its document, such as `mainTrackClips[0].filters`.
    package static func validate(_ operations: [Operation], at path: String) -> [OperationFault] {
        operations.enumerated().flatMap { index, operation in validate(operation, at: "\(path)[\(index)]") }
    }

    /// All errors in one operation.
    /// - Parameter path: the path of the operation in its document.
    package static func validate(_ operation: Operation, at path: String) -> [OperationFault] {
        guard let descriptor = descriptor(of: operation.name) else {
            let hint = suggestion(for: operation.name, among: all.map(\.name))
            return [
                OperationFault(
                    path: "\(path).type", code: .invalidValue, message: "there is no operation '\(operation.name)'\(hint)")
            ]
        }
        var faults: [OperationFault] = []
        if descriptor.needsSource, operation.source == nil {
            faults.append(
                OperationFault(
                    path: "\(path).url", code: .missingField, message: "'\(descriptor.name)' needs a file; name it with 'url'"))
        }
        if !descriptor.needsSource, operation.source != nil {
            faults.append(
                OperationFault(
                    path: "\(path).url", code: .unknownField, message: "'\(descriptor.name)' reads no file; leave 'url' out"))
        }
        for (name, value) in operation.parameters.sorted(by: { $0.key < $1.key }) {
            let place = "\(path).\(name)"
            guard let parameter = descriptor.parameters.first(where: { $0.name == name }) else {
                let hint = suggestion(for: name, among: descriptor.parameters.map(\.name))
                faults.append(
                    OperationFault(
                        path: place, code: .unknownField, message: "'\(descriptor.name)' has no parameter '\(name)'\(hint)"))
                continue
            }
            // `contains` is false for NaN.
            if let stray = value.keys.map(\.value).first(where: { !parameter.range.contains($0) }) {
                let range = "\(parameter.range.lowerBound.plain) to \(parameter.range.upperBound.plain)"
                faults.append(
                    OperationFault(
                        path: place, code: .outOfRange,
                        message: "\(stray.plain) is outside of what '\(name)' may be: \(range) (\(parameter.unit))"))
            }
        }
        return faults
    }

    private static func suggestion(for name: String, among known: [String]) -> String {
        guard let nearest = nearestName(to: name, among: known) else { return "; there are \(known.joined(separator: ", "))" }
        return "; did you mean '\(nearest)'?"
    }
}

extension Double {
    /// The number as text, without a fraction if it is a whole number.
    var plain: String { self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self) }
}
