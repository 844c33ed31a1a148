package import FarmAPI
package import FoundationEssentials

/// A film on its way to a destination, in memory.
struct PublicationRow {
    var publication: Publication
    var queuedAt: Date
}

/// Films on their way to destinations, in memory.
extension MemoryFarmStore: PublicationStore {
    package func republish(_ export: ExportID, tenant: Int64?) -> Bool {
        guard var row = publicationRows[export], let found = self.export(export, tenant: tenant), found.filmRemovedAt == nil
        else { return false }
        let now = clock()
        row.queuedAt = now
        row.publication.state = .pending
        row.publication.attempts = 0
        row.publication.dueAt = now
        row.publication.endedAt = nil
        publicationRows[found.id] = row
        return true
    }

    package func duePublications(at now: Date, underWay: Set<ExportID>, limit: Int) -> [OutgoingFilm] {
        let due = publicationRows.filter { id, row in
            row.publication.state == .pending && !underWay.contains(id) && row.publication.dueAt.map { $0 <= now } ?? false
        }.sorted { ($0.value.publication.dueAt ?? now, $0.key) < ($1.value.publication.dueAt ?? now, $1.key) }
        return due.prefix(limit).compactMap { id, row in
            guard let export = self.export(id, tenant: nil), let key = export.filmKey, let finished = export.finishedAt,
                let tenant = tenantRows.first(where: { $0.id == export.tenant })
            else { return nil }
            return OutgoingFilm(
                export: id, number: export.number, tenant: export.tenant, tenantName: tenant.name, label: export.label,
                film: key, pictures: export.pictures, frameCount: export.frameCount, finishedAt: finished,
                destination: row.publication.destination,
                attempts: row.publication.attempts, queuedAt: row.queuedAt)
        }
    }

    package func nextPublication(after now: Date) -> Date? {
        publicationRows.values.filter { $0.publication.state == .pending }.compactMap(\.publication.dueAt).filter { $0 > now }
            .min()
    }

    package func record(_ outcome: PublicationOutcome, of film: OutgoingFilm, at now: Date) {
        guard var row = publicationRows[film.export], row.publication.state == .pending else { return }
        row.publication.attempts += 1
        row.publication.attemptedAt = now
        row.publication.message = nil
        row.publication.files = []
        switch outcome {
        case .published(let files): (row.publication.state, row.publication.files) = (.published, files)
        case .retry(let due, let message): (row.publication.dueAt, row.publication.message) = (due, message)
        case .failed(let message): (row.publication.state, row.publication.message) = (.failed, message)
        }
        if row.publication.state != .pending {
            row.publication.dueAt = nil
            row.publication.endedAt = now
        }
        publicationRows[film.export] = row
        if let event = WebhookEvent(row.publication.state), let export = export(film.export, tenant: nil) {
            addDeliveries(of: event, about: export, row.publication, at: now)
        }
    }

    /// Queues the film of an export that is complete and names a destination.
    func queuePublication(_ place: Int, at now: Date) {
        let row = exportRows[place]
        guard row.export.state == .completed, let destination = row.settings["destination"],
            publicationRows[row.export.id] == nil
        else { return }
        publicationRows[row.export.id] = PublicationRow(
            publication: Publication(destination: destination, state: .pending, dueAt: now), queuedAt: now)
    }
}
