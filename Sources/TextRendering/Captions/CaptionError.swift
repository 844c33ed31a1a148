package import ExportPlan

/// An error of a caption file, or of the machine that draws it.
package typealias CaptionError = CodedError<CaptionErrorCode>

package enum CaptionErrorCode: String, FailureCode {
    /// The file violates its format; the message names the line.
    case malformed
    /// The file has more captions than the limit.
    case overLimit
    /// The style's font description cannot be used.
    case invalidStyle
    /// A font is not installed, or no installed font has a character.
    case missingFont
    case outOfMemory
    /// The storage does not deliver a font file's bytes.
    case cannotRead

    package var failureClass: FailureClass {
        switch self {
        case .malformed, .overLimit, .invalidStyle: .input
        case .missingFont: .environment
        case .cannotRead: .storage
        case .outOfMemory: .resource
        }
    }
}
