public import ExportPlan
import Spelling

/// One thing that is wrong with an operation, at one place of a document.
public struct OperationFault: Equatable, Sendable {
    /// The codes' texts are those of draft diagnostics.
    public enum Code: String, Sendable {
        /// No operation of this name.
        case invalidValue
        /// No parameter of this name, or a file where none is read.
        case unknownField
        case outOfRange
        /// The operation needs a file.
        case missingField
    }

    /// As in `filters[0].amount`.
    public var path: String
    public var code: Code
    /// What is wrong and what to do about it.
    public var message: String
}

extension OperationCatalogue {
    /// Everything that is wrong with these operations; empty when they can be run.
    /// - Parameter path: of the list in its document: `mainTrackClips[0].filters`.
    public static func validate(_ operations: [Operation], at path: String) -> [OperationFault] {
        operations.enumerated().flatMap { index, operation in validate(operation, at: "\(path)[\(index)]") }
    }

    /// Everything that is wrong with one operation.
    /// - Parameter path: of the operation in its document.
    public static func validate(_ operation: Operation, at path: String) -> [OperationFault] {
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
                OperationFault(path: "\(path).url", code: .missingField, message: "'\(descriptor.name)' needs a file"))
        }
        if !descriptor.needsSource, operation.source != nil {
            faults.append(
                OperationFault(path: "\(path).url", code: .unknownField, message: "'\(descriptor.name)' reads no file"))
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
            // `contains` is false for what is not a number.
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
    /// Without a fraction where there is none.
    var plain: String { self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self) }
}
