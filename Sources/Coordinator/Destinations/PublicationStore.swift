package import ExportPlan
package import FarmAPI
package import FoundationEssentials

/// Films on their way to the destinations that their exports name. The transaction that completes an export queues its
/// film.
package protocol PublicationStore: Sendable {
    /// Sends the film of an export again, or now where it is pending, as if it had not been tried yet. `Export.publication`
    /// says what becomes of it.
    /// - Parameter tenant: nil for the operator, who sees all.
    /// - Returns: false where there is nothing to send.
    func republish(_ export: ExportID, tenant: Int64?) async throws -> Bool

    // For the leader:

    /// Films that may be sent now, the longest due first.
    /// - Parameter underWay: these exports are left out.
    func duePublications(at now: Date, underWay: Set<ExportID>, limit: Int) async throws -> [OutgoingFilm]
    /// When the next film is due; nil where none is pending.
    func nextPublication(after now: Date) async throws -> Date?
    /// Records an attempt, and adds the deliveries to webhooks about its outcome. A publication that is not pending any more
    /// stays as it is.
    func record(_ outcome: PublicationOutcome, of film: OutgoingFilm, at now: Date) async throws
}

/// What an attempt to send a film led to.
package enum PublicationOutcome: Hashable, Sendable {
    case published([Publication.File])
    case retry(at: Date, message: String)
    case failed(message: String)
}

/// A film that is to be sent, with what the names of its files are made of.
package struct OutgoingFilm: Hashable, Sendable {
    package var export: ExportID
    package var number: Int64
    package var tenant: Int64
    package var tenantName: String
    package var label: String
    package var film: ArtifactKey
    /// The pictures that are sent beside it.
    package var pictures: FilmPictures?
    package var frameCount: Int?
    package var finishedAt: Date
    package var destination: String
    package var attempts: Int
    package var queuedAt: Date

    package init(
        export: ExportID, number: Int64, tenant: Int64, tenantName: String, label: String, film: ArtifactKey,
        pictures: FilmPictures?, frameCount: Int?,
        finishedAt: Date, destination: String, attempts: Int, queuedAt: Date
    ) {
        self.export = export
        self.number = number
        self.tenant = tenant
        self.tenantName = tenantName
        self.label = label
        self.film = film
        self.pictures = pictures
        self.frameCount = frameCount
        self.finishedAt = finishedAt
        self.destination = destination
        self.attempts = attempts
        self.queuedAt = queuedAt
    }
}
