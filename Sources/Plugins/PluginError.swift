package import ExportPlan

/// Why a plug-in cannot be used.
package typealias PluginError = CodedError<PluginErrorCode>

package enum PluginErrorCode: String, FailureCode {
    /// There is no file of this name in any plug-in directory.
    case unknownPlugin
    /// A library that is not a plug-in, a plug-in of an unsupported kind, or a plug-in that does not draw the same
    /// frame in the same way each time.
    case unusable
    /// The library, or one that it needs, cannot be loaded on this machine.
    case cannotLoad
    /// This machine has no plug-in of the name with the right content hash.
    case missingVersion

    package var failureClass: FailureClass {
        switch self {
        case .unknownPlugin, .unusable: .input
        case .cannotLoad, .missingVersion: .environment
        }
    }
}
