package import FoundationEssentials

package enum PublicationState: String, CaseIterable, Hashable, Sendable, Codable {
    /// The film is sent to its destination as soon as that is due.
    case pending
    case published
    /// The film is not sent any more; the farm's store has it still.
    case failed
}

/// What became of sending a film to the destination that its export names.
package struct Publication: Hashable, Sendable, Codable {
    /// One file at the destination.
    package struct File: Hashable, Sendable, Codable {
        /// Where it is: an `s3:` or `https:` address without its query, or a path.
        package var address: String
        package var byteCount: Int64
        package var sha256: String

        package init(address: String, byteCount: Int64, sha256: String) {
            self.address = address
            self.byteCount = byteCount
            self.sha256 = sha256
        }
    }

    package var destination: String
    package var state: PublicationState
    /// How often it was tried since it was last queued.
    package var attempts: Int
    /// Before this time it is not tried; nil once it has ended.
    package var dueAt: Date?
    package var attemptedAt: Date?
    package var endedAt: Date?
    /// Why the last attempt failed, for people; nil before the first, and after a success.
    package var message: String?
    /// What the destination has: the film, and the manifest where that is wanted.
    package var files: [File]

    package init(
        destination: String, state: PublicationState, attempts: Int = 0, dueAt: Date? = nil, attemptedAt: Date? = nil,
        endedAt: Date? = nil, message: String? = nil, files: [File] = []
    ) {
        self.destination = destination
        self.state = state
        self.attempts = attempts
        self.dueAt = dueAt
        self.attemptedAt = attemptedAt
        self.endedAt = endedAt
        self.message = message
        self.files = files
    }
}
