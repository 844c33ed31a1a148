/// A failure as it travels between processes.
public struct JobFailure: ClassifiedError, Hashable, Codable {
    public var failureClass: FailureClass
    /// The file, where there is one.
    public var subject: String
    public var message: String
    /// The artifact that an earlier job made and that is gone or damaged: rendering it again mends the failure.
    public var missingArtifact: ArtifactKey?

    public init(_ failureClass: FailureClass, subject: String, message: String, missingArtifact: ArtifactKey? = nil) {
        self.failureClass = failureClass
        self.subject = subject
        self.message = message
        self.missingArtifact = missingArtifact
    }

    /// Any error that knows its class.
    public init(_ error: any ClassifiedError) {
        self = error as? JobFailure ?? JobFailure(error.failureClass, subject: error.subject, message: error.message)
    }

    public var description: String { subject.isEmpty ? message : "'\(subject)' \(message)" }
}
