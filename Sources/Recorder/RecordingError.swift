package import ExportPlan

/// Why a recording refuses a change.
package struct RecordingError: ClassifiedError, Hashable {
    package enum Code: String, Hashable, Sendable {
        /// A clip is being recorded.
        case isRecording
        /// The maximum is reached.
        case isFull
        /// The recording is finished or discarded.
        case isOver
        case noClip, hasClips
        /// The recording is shorter than the minimum.
        case tooShort
        /// The number is not that of the clip being recorded, or that clip has no frame.
        case wrongClip
        /// The number is not that of a recorded clip.
        case noSuchClip
    }

    package var code: Code
    package var subject: String
    package var message: String

    package init(_ code: Code, _ subject: String, _ message: String) {
        self.code = code
        self.subject = subject
        self.message = message
    }

    package var failureClass: FailureClass { code == .isRecording ? .transient : .input }
    package var description: String { "\(subject) \(message)" }
}
