public import ExportPlan

/// What went wrong with a media file: what was being done to it, and what libav said.
public typealias MediaError = CodedError<MediaErrorCode>

public enum MediaErrorCode: String, FailureCode {
    /// The file is not there.
    case missing
    /// The storage does not give out the file's bytes: says nothing about the file itself.
    case cannotRead
    /// The file is no longer what it was when it was probed.
    case changed
    /// The file is not media, or of a kind that is not allowed.
    case unknownFormat
    /// The file says it is media, but it is cut short or damaged.
    case damaged
    /// The file has no stream of the wanted kind.
    case noStream
    /// A limit on pixels, rate or the like.
    case overLimit
    /// No decoder or encoder for it in this installation.
    case missingCodec
    /// A font, or a glyph that no font here has.
    case missingFont
    /// A plug-in that is not on this machine in this version, or cannot be loaded here.
    case missingPlugin
    /// A plug-in that cannot be used.
    case unusablePlugin
    /// A text or a shape that cannot be drawn.
    case invalidDrawing
    case outOfMemory
    /// The disk is full or cannot be written.
    case cannotWrite
    /// libav refused something that should work.
    case internalFailure

    public var failureClass: FailureClass {
        switch self {
        case .missing, .changed, .unknownFormat, .damaged, .noStream, .overLimit, .invalidDrawing, .unusablePlugin: .input
        case .missingCodec, .missingFont, .missingPlugin: .environment
        case .outOfMemory: .resource
        case .cannotRead, .cannotWrite: .storage
        case .internalFailure: .crash
        }
    }
}
