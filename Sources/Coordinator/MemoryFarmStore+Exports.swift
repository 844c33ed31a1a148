public import JobQueue

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Exports from acceptance to the end, in memory; the steps between are in `MemoryFarmStore+Compiling.swift`.
extension MemoryFarmStore: ExportStore {
    /// A document becomes a revision of a draft without a name. An idempotency key is its tenant's own, and is looked at
    /// first: what it stands for is returned whatever has become of it and of its draft.
    public func submit(
        _ request: ExportRequest, id: ExportID, tenant: Int64, idempotency: (key: String, bodyHash: String)?
    ) throws -> (export: Export, isNew: Bool) {
        guard tenantExists(tenant) else { throw FarmError(.notFound, "there is no tenant \(tenant)") }
        let key = idempotency.map { IdempotencyKey(tenant: tenant, key: $0.key) }
        if let idempotency, let key, let earlier = idempotencyRows[key] {
            guard earlier.bodyHash == idempotency.bodyHash, let place = exportPlaces[earlier.export] else {
                throw FarmError(.conflict, "the idempotency key '\(key.key)' was used for another request")
            }
            return (withProgress(exportRows[place]), false)
        }
        guard (-100...100).contains(request.priority) else {
            throw FarmError(.invalid, "a priority is from -100 to 100, not \(request.priority)")
        }
        guard isLabel(request.pool) else { throw FarmError(.invalid, "'\(request.pool)' is no pool's name") }
        guard exportPlaces[id] == nil else { throw FarmError(.conflict, "there is an export \(id) already") }
        let now = clock()
        let document = try document(of: request.subject, tenant: tenant, at: now)

        let export = Export(
            id: id, number: Int64(exportRows.count + 1), tenant: tenant, label: request.label, priority: request.priority,
            pool: request.pool, state: .submitted, createdAt: now)
        exportPlaces[id] = exportRows.count
        exportRows.append(
            ExportRow(export: export, document: document, parameters: request.parameters, settings: request.settings))
        if let idempotency, let key {
            idempotencyRows[key] = IdempotencyRow(bodyHash: idempotency.bodyHash, export: id)
        }
        log(.submitted, id, "accepted as '\(request.label)'", at: now)
        return (export, true)
    }

    private func document(of subject: ExportRequest.Subject, tenant: Int64, at now: Date) throws -> String {
        switch subject {
        case .document(let document):
            let revision = DraftRow.Revision(document: document, createdAt: now)
            draftRows.append(DraftRow(tenant: tenant, name: nil, revisions: [revision]))
            return document
        case .named(let name, let revision):
            guard let found = draft(name, revision: revision, tenant: tenant) else {
                let which = revision.map { "revision \($0) of a draft '\(name)'" } ?? "draft '\(name)'"
                throw FarmError(.notFound, "there is no \(which)")
            }
            return found.document
        }
    }

    public func export(_ id: ExportID, tenant: Int64?) -> Export? {
        guard let place = exportPlaces[id] else { return nil }
        let row = exportRows[place]
        return tenant == nil || tenant == row.export.tenant ? withProgress(row) : nil
    }

    public func exports(tenant: Int64?, state: ExportState?, limit: Int) -> [Export] {
        exportRows.reversed().lazy
            .filter { (tenant == nil || tenant == $0.export.tenant) && (state == nil || state == $0.export.state) }
            .prefix(limit).map(withProgress)
    }

    public func events(of id: ExportID, after: Int64, limit: Int) -> [ExportEvent] {
        Array(eventRows.lazy.filter { $0.export == id && $0.id > after }.prefix(limit))
    }

    /// Open jobs become `cancelled`, and so do the attempts at them.
    /// - Returns: nil also when there is no such export.
    public func cancel(_ id: ExportID) -> [AttemptID]? {
        guard let place = exportPlaces[id], exportRows[place].export.state.mayBecome(.cancelled) else { return nil }
        let now = clock()
        let told = end(place, as: .cancelled, at: now)
        log(.cancelled, id, "cancelled", at: now)
        return told
    }

    /// As `cancel`, but it failed; nothing happens to an export that is over.
    public func fail(_ id: ExportID, _ failure: ExportFailure) -> [AttemptID] {
        guard let place = exportPlaces[id], exportRows[place].export.state.mayBecome(.failed) else { return [] }
        return fail(place, failure, at: clock())
    }

    func fail(_ place: Int, _ failure: ExportFailure, at now: Date) -> [AttemptID] {
        exportRows[place].export.failure = failure
        let told = end(place, as: .failed, at: now)
        log(.failed, exportRows[place].export.id, job: failure.job, failure.message, at: now)
        return told
    }

    /// Puts an export into a terminal state. No job of it is open afterwards.
    func end(_ place: Int, as state: ExportState, at now: Date) -> [AttemptID] {
        exportRows[place].export.state = state
        exportRows[place].export.finishedAt = now
        var told: [AttemptID] = []
        for job in exportRows[place].jobs where jobRows[job].lifecycle.cancel() {
            jobRows[job].finishedAt = now
            told += jobRows[job].cancelAttempts(at: now)
        }
        return told
    }

    private func withProgress(_ row: ExportRow) -> Export {
        var export = row.export
        for job in row.jobs.map({ jobRows[$0] }) where job.new.kind != .probe {
            export.progress.jobs += 1
            guard job.lifecycle.state == .done else { continue }
            export.progress.jobsDone += 1
            if job.reused { export.progress.jobsReused += 1 }
            if job.new.kind == .video { export.progress.framesDone += job.new.frameCount }
        }
        return export
    }
}
