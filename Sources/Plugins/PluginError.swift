public import ExportPlan

/// Why a plug-in cannot be used.
public typealias PluginError = CodedError<PluginErrorCode>

public enum PluginErrorCode: String, FailureCode {
    /// No file of this name in any plug-in directory.
    case unknownPlugin
    /// A library that is no plug-in, one of a kind that is not used here, or one that draws the same frame differently.
    case unusable
    /// The library, or one that it needs, cannot be loaded on this machine.
    case cannotLoad
    /// This machine has no plug-in of the name with the right content hash.
    case missingVersion

    public var failureClass: FailureClass {
        switch self {
        case .unknownPlugin, .unusable: .input
        case .cannotLoad, .missingVersion: .environment
        }
    }
}
