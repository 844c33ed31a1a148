public import ExportPlan

/// Why operations cannot be run, or a lookup table cannot be read.
public struct OperationError: ClassifiedError, Equatable {
    public enum Code: String, Sendable {
        /// The catalogue has no such operation. Validation finds this first.
        case unknownOperation
        /// The table that a `lut` names was not handed in.
        case missingTable
        /// The file is no lookup table, or a damaged one.
        case malformedTable
    }

    public var code: Code
    /// The operation or the file.
    public var subject: String
    public var message: String

    public init(_ code: Code, subject: String, message: String) {
        self.code = code
        self.subject = subject
        self.message = message
    }

    public var failureClass: FailureClass { code == .malformedTable ? .input : .crash }

    public var description: String { "'\(subject)' \(message)" }
}
