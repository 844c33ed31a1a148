package import ExportPlan

/// Why an operation cannot be run, or why a lookup table's file cannot be read.
package typealias OperationError = CodedError<OperationErrorCode>

package enum OperationErrorCode: String, FailureCode {
    /// The catalogue has no such operation. Validation finds this first.
    case unknownOperation
    /// The caller did not provide the table that a `lut` names.
    case missingTable
    /// The caller did not provide the plug-in that an `externalFilter` calls.
    case missingPlugin
    /// A plug-in refuses to draw this picture, most likely because it lacks memory.
    case pluginRefused
    /// The file is not a lookup table, or it is damaged.
    case malformedTable

    package var failureClass: FailureClass {
        switch self {
        case .malformedTable: .input
        case .pluginRefused: .resource
        case .unknownOperation, .missingTable, .missingPlugin: .crash
        }
    }
}
