public import ExportPlan

/// What is wrong with an SVG path's data; the message names the place.
public typealias VectorPathError = CodedError<VectorPathErrorCode>

public enum VectorPathErrorCode: String, FailureCode {
    /// A letter that is no command, or a path that does not begin with a move.
    case unknownCommand
    /// Something else where a number (or an arc's flag) has to be.
    case missingNumber
    /// A number that is not finite.
    case overLimit

    public var failureClass: FailureClass { .input }
}
