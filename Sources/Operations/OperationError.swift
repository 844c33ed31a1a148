public import ExportPlan

/// Why an operation cannot be run, or the file of a lookup table cannot be read.
public typealias OperationError = CodedError<OperationErrorCode>

public enum OperationErrorCode: String, FailureCode {
    /// The catalogue has no such operation. Validation finds this first.
    case unknownOperation
    /// The table that a `lut` names was not handed in.
    case missingTable
    /// The plug-in that an `externalFilter` calls was not handed in.
    case missingPlugin
    /// A plug-in does not want to draw this picture, for want of memory most likely.
    case pluginRefused
    /// The file is no lookup table, or a damaged one.
    case malformedTable

    public var failureClass: FailureClass {
        switch self {
        case .malformedTable: .input
        case .pluginRefused: .resource
        case .unknownOperation, .missingTable, .missingPlugin: .crash
        }
    }
}
