public import ExportPlan

/// What went wrong with a text, its fonts or a shape.
public typealias LetteringError = CodedError<LetteringErrorCode>

public enum LetteringErrorCode: String, FailureCode {
    /// No font of the family is installed here.
    case missingFont
    /// No font here has a sign for a character.
    case missingGlyph
    /// A directory of fonts that cannot be read or holds none.
    case missingFontFiles
    /// A file that is no font, or a damaged one.
    case malformedFont
    /// A font that takes the place of the one that the text was planned with.
    case otherFont
    /// A font description without a family or without a size.
    case invalidFont
    /// A text with characters that nobody can draw.
    case invalidText
    /// Path data that is no path.
    case invalidPath
    /// A length that is negative, not finite or larger than any picture may be.
    case overLimit
    case outOfMemory
    /// The storage does not give out a font file's bytes.
    case cannotRead

    public var failureClass: FailureClass {
        switch self {
        case .missingFont, .missingGlyph, .missingFontFiles, .otherFont: .environment
        case .malformedFont, .invalidFont, .invalidText, .invalidPath, .overLimit: .input
        case .outOfMemory: .resource
        case .cannotRead: .storage
        }
    }
}
