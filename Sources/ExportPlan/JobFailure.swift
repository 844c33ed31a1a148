/// A failure as it travels between processes.
public struct JobFailure: ClassifiedError, Hashable, Codable {
    public var failureClass: FailureClass
    /// The file, where there is one.
    public var subject: String
    public var message: String
    /// Artifacts that earlier jobs made and that are gone or damaged: making them again mends the failure. All that the job
    /// needs and misses are named at once.
    public var missingArtifacts: [ArtifactKey]?
    /// The location of the source whose file changed after it was probed: what is known of it no longer holds.
    public var changedSource: String?
    /// The sha256 of an uploaded asset whose stored file has other bytes: the farm does not have the asset any more.
    public var damagedAsset: String?

    public init(_ failureClass: FailureClass, subject: String, message: String, missingArtifacts: [ArtifactKey] = []) {
        self.failureClass = failureClass
        self.subject = subject
        self.message = message
        self.missingArtifacts = missingArtifacts.isEmpty ? nil : missingArtifacts
    }

    /// Any error that knows its class.
    public init(_ error: any ClassifiedError) {
        self = error as? JobFailure ?? JobFailure(error.failureClass, subject: error.subject, message: error.message)
    }

    public var description: String { subject.isEmpty ? message : "'\(subject)' \(message)" }
}
