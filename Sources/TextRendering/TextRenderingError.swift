package import ExportPlan

/// An error of a text, its fonts or a shape.
package typealias TextRenderingError = CodedError<TextRenderingErrorCode>

package enum TextRenderingErrorCode: String, FailureCode {
    /// No font of the family is installed here.
    case missingFont
    /// No installed font has a glyph for a character.
    case missingGlyph
    /// A directory of fonts cannot be read or contains no font.
    case missingFontFiles
    /// A file is not a font, or is damaged.
    case malformedFont
    /// A font would replace the one that the text was planned with.
    case otherFont
    /// A font description lacks a family or a valid size.
    case invalidFont
    /// A text contains characters that cannot be drawn.
    case invalidText
    /// Path data has a syntax error.
    case invalidPath
    /// A drawing's file is damaged, or has something that cannot be drawn.
    case malformedDrawing
    /// A length is negative, not finite or larger than any picture may be.
    case overLimit
    case outOfMemory
    /// The storage does not deliver a font file's bytes.
    case cannotRead

    package var failureClass: FailureClass {
        switch self {
        case .missingFont, .missingGlyph, .missingFontFiles, .otherFont: .environment
        case .malformedFont, .invalidFont, .invalidText, .invalidPath, .malformedDrawing, .overLimit: .input
        case .outOfMemory: .resource
        case .cannotRead: .storage
        }
    }
}
