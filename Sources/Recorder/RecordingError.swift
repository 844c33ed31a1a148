public import ExportPlan

/// Why a recording cannot do what it was asked.
public struct RecordingError: ClassifiedError, Hashable {
    public enum Code: String, Hashable, Sendable {
        /// A clip is on its way.
        case isRecording
        /// The maximum is reached.
        case isFull
        /// Finished or discarded.
        case isOver
        case noClip, hasClips
        /// Below the minimum.
        case tooShort
        /// Not the clip that is being recorded, or no clip at all.
        case wrongClip
    }

    public var code: Code
    public var subject: String
    public var message: String

    public init(_ code: Code, _ subject: String, _ message: String) {
        self.code = code
        self.subject = subject
        self.message = message
    }

    public var failureClass: FailureClass { code == .isRecording ? .transient : .input }
    public var description: String { "\(subject) \(message)" }
}
