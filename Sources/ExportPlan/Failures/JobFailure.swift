/// A failure as it travels between processes.
package struct JobFailure: ClassifiedError, Hashable, Codable {
    package var failureClass: FailureClass
    /// The file that the failure is about, where there is one.
    package var subject: String
    package var message: String
    /// Artifacts of earlier jobs that are missing or damaged; making them again resolves the failure. The list names
    /// all artifacts that the job needs and lacks.
    package var missingArtifacts: [ArtifactKey]?
    /// The location of a source whose file changed after it was probed, so that its facts no longer hold.
    package var changedSource: String?
    /// The sha256 of an uploaded asset whose stored file has other bytes, so that the farm no longer has the asset.
    package var damagedAsset: String?

    package init(_ failureClass: FailureClass, subject: String, message: String, missingArtifacts: [ArtifactKey] = []) {
        self.failureClass = failureClass
        self.subject = subject
        self.message = message
        self.missingArtifacts = missingArtifacts.isEmpty ? nil : missingArtifacts
    }

    /// Makes a failure from any error that knows its class.
    package init(_ error: any ClassifiedError) {
        self = error as? JobFailure ?? JobFailure(error.failureClass, subject: error.subject, message: error.message)
    }

    /// The failure of a job that waits for storage.
    /// - Parameters:
    ///   - path: the file or directory that is read.
    ///   - time: how long the storage had to answer one read.
    package init(unanswered path: String, for time: Duration) {
        self.init(
            .storage, subject: path,
            message: "has not answered a read for \(time.components.seconds) s; check the disk or network that holds it")
    }

    package var description: String { subject.isEmpty ? message : "'\(subject)' \(message)" }
}
