package import ExportPlan

/// A failure on a media file: what was being done to it, and libav's description.
package typealias MediaError = CodedError<MediaErrorCode>

package enum MediaErrorCode: String, FailureCode {
    /// The file is not there.
    case missing
    /// The storage did not deliver the file's bytes, which says nothing about the file itself.
    case cannotRead
    /// The file has changed since it was probed.
    case changed
    /// The file is not media, or its format is not allowed.
    case unknownFormat
    /// The file is media, but it is cut short or damaged.
    case damaged
    /// The file has no stream of the wanted kind.
    case noStream
    /// The file exceeds a limit on pixels, packets, duration or processing time.
    case overLimit
    /// This installation lacks a decoder, encoder or filter that is needed.
    case missingCodec
    /// A font is missing, or no installed font has a glyph.
    case missingFont
    /// A plug-in is not installed on this machine in the required version, or cannot be loaded.
    case missingPlugin
    /// A plug-in is installed but cannot be used.
    case unusablePlugin
    /// A text or a shape cannot be drawn.
    case invalidDrawing
    case outOfMemory
    /// The disk is full or cannot be written.
    case cannotWrite
    /// libav refused an operation that should work.
    case internalFailure

    package var failureClass: FailureClass {
        switch self {
        case .missing, .changed, .unknownFormat, .damaged, .noStream, .overLimit, .invalidDrawing, .unusablePlugin: .input
        case .missingCodec, .missingFont, .missingPlugin: .environment
        case .outOfMemory: .resource
        case .cannotRead, .cannotWrite: .storage
        case .internalFailure: .crash
        }
    }
}
