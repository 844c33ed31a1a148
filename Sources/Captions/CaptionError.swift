public import ExportPlan

/// What is wrong with a file of captions, or with the machine that should draw it.
public typealias CaptionError = CodedError<CaptionErrorCode>

public enum CaptionErrorCode: String, FailureCode {
    /// The file does not keep to its format; the message names the line.
    case malformed
    /// More captions than anybody reads.
    case overLimit
    /// The style's font description cannot be used.
    case invalidStyle
    /// A font, or a character that no font here has.
    case missingFont
    case outOfMemory
    /// The storage does not give out a font file's bytes.
    case cannotRead

    public var failureClass: FailureClass {
        switch self {
        case .malformed, .overLimit, .invalidStyle: .input
        case .missingFont: .environment
        case .cannotRead: .storage
        case .outOfMemory: .resource
        }
    }
}
