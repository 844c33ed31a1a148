package import FarmAPI
import ExportPlan
import JobQueue
import FoundationEssentials

/// Exports from acceptance to the end, in memory; the steps between are in `MemoryFarmStore+Compiling.swift`.
extension MemoryFarmStore: ExportStore {
    /// A document becomes a revision of a draft without a name. An idempotency key belongs to its tenant and is checked
    /// first: its export is returned whatever has become of it and of its draft.
    package func submit(_ exports: [NewExport]) throws -> [(export: Export, isNew: Bool)] {
        let keys = exports.compactMap { MemoryFarmStore.key(of: $0) }
        guard Set(keys).count == keys.count, Set(exports.map(\.id)).count == exports.count else {
            throw FarmError(.conflict, "two exports have the same id or the same idempotency key")
        }
        let known = try exports.map(check)
        return try zip(exports, known).map { export, known in
            if let known { return (known, false) }
            return (try insert(export), true)
        }
    }

    private static func key(of export: NewExport) -> IdempotencyKey? {
        export.idempotency.map { IdempotencyKey(tenant: export.tenant, key: $0.key) }
    }

    /// Checks an export before anything is changed.
    /// - Returns: the export that the same request made before.
    private func check(_ new: NewExport) throws -> Export? {
        guard let owner = tenantRows.first(where: { $0.id == new.tenant }) else {
            throw FarmError(.notFound, "there is no tenant \(new.tenant)")
        }
        if let idempotency = new.idempotency, let key = MemoryFarmStore.key(of: new), let earlier = idempotencyRows[key] {
            guard earlier.bodyHash == idempotency.bodyHash, let place = exportPlaces[earlier.export] else {
                throw FarmError(.conflict, "the idempotency key '\(key.key)' was used for another request")
            }
            return withProgress(exportRows[place])
        }
        if let priority = new.request.priority, !(-100...100).contains(priority) {
            throw FarmError(.invalid, "a priority is from -100 to 100, not \(priority)")
        }
        if let fault = TextCheck.tagFault(new.request.pool, "pool") { throw FarmError(.invalid, fault) }
        guard exportPlaces[new.id] == nil else { throw FarmError(.conflict, "there is an export \(new.id) already") }
        try PriorityCap(tenant: owner.name, cap: owner.priorityCap).check(
            new.request.priority, mayExceedCap: new.request.mayExceedCap)
        try TenantQuota(owner).check(openExports: openExportCount(of: owner.id))
        if case .named = new.request.subject { _ = try document(of: new.request.subject, tenant: new.tenant, at: clock()) }
        return nil
    }

    func openExportCount(of tenant: Int64) -> Int {
        exportRows.count { !$0.isRemoved && $0.export.tenant == tenant && !$0.export.state.isTerminal }
    }

    private func insert(_ new: NewExport) throws -> Export {
        let request = new.request
        let owner = tenantRows.first { $0.id == new.tenant }
        let cap = PriorityCap(tenant: owner?.name ?? "", cap: owner?.priorityCap ?? 0)
        let now = clock()
        let (document, draft) = try document(of: request.subject, tenant: new.tenant, at: now)
        let export = Export(
            id: new.id, number: Int64(exportRows.count + 1), tenant: new.tenant, label: request.label,
            priority: request.priority ?? cap.unasked, pool: request.pool, state: ExportLifecycle().state, createdAt: now,
            tags: request.tags.isEmpty ? nil : request.tags, metadata: request.metadata)
        exportPlaces[new.id] = exportRows.count
        exportRows.append(
            ExportRow(
                export: export, document: document, parameters: request.parameters, settings: request.settings, draft: draft))
        if let idempotency = new.idempotency, let key = MemoryFarmStore.key(of: new) {
            idempotencyRows[key] = IdempotencyRow(bodyHash: idempotency.bodyHash, export: new.id)
        }
        log(.submitted, new.id, "accepted as '\(request.label)'", at: now)
        return export
    }

    func document(
        of subject: ExportRequest.Subject, tenant: Int64, at now: Date
    ) throws -> (document: String, draft: (place: Int, revision: Int)) {
        switch subject {
        case .document(let document):
            let revision = DraftRow.Revision(document: document, createdAt: now)
            draftRows.append(DraftRow(tenant: tenant, name: nil, revisions: [revision]))
            return (document, (draftRows.count - 1, 0))
        case .named(let name, let revision):
            guard let found = draft(name, revision: revision, tenant: tenant), let place = placeOfDraft(name, tenant: tenant)
            else {
                let which = revision.map { "revision \($0) of a draft '\(name)'" } ?? "draft '\(name)'"
                throw FarmError(.notFound, "there is no \(which)")
            }
            return (found.document, (place, found.revision.revision - 1))
        }
    }

    package func export(_ id: ExportID, tenant: Int64?) -> Export? {
        guard let place = exportPlaces[id] else { return nil }
        let row = exportRows[place]
        return tenant == nil || tenant == row.export.tenant ? withProgress(row) : nil
    }

    package func exports(_ filter: ExportFilter) -> [Export] {
        var rows = exportRows
        switch filter.order {
        case .newest: rows.reverse()
        case .oldest: break
        case .priority: rows.sort { ($1.export.priority, $0.export.number) < ($0.export.priority, $1.export.number) }
        }
        return rows.lazy
            .filter { row in
                let export = row.export
                return !row.isRemoved && (filter.tenant == nil || filter.tenant == export.tenant)
                    && (filter.state == nil || filter.state == export.state) && filter.isBehindPlace(export)
                    && (filter.label.map { export.label.lowercased().contains($0.lowercased()) } ?? true)
                    && filter.tags.allSatisfy { export.tags?[$0.key] == $0.value }
                    && (filter.metadata.map { export.metadata?.contains($0) ?? false } ?? true)
                    && (filter.batch == nil || filter.batch == export.batch?.id)
            }
            .prefix(filter.limit).map(withProgress)
    }

    package func events(of id: ExportID, after: Int64, limit: Int) -> [ExportEvent] {
        Array(eventRows.filter { $0.export == id && $0.id > after && !removedEvents.contains($0.id) }.prefix(limit))
    }

    /// Open jobs and the attempts at them become `cancelled`.
    /// - Returns: nil also when there is no such export.
    package func cancel(_ id: ExportID) -> [AttemptID]? {
        exportPlaces[id].flatMap { advance($0, .cancelled, at: clock()) }
    }

    /// Ends an export as `cancel` does, but as failed. An export that is over stays unchanged.
    package func fail(_ id: ExportID, _ failure: ExportFailure) -> [AttemptID] {
        exportPlaces[id].flatMap { advance($0, .failed(failure), at: clock()) } ?? []
    }

    private func withProgress(_ row: ExportRow) -> Export {
        var export = row.export
        export.publication = publicationRows[export.id]?.publication
        if let progress = row.progress {
            export.progress = progress
            return export
        }
        for job in row.jobs.map({ jobRows[$0] }) where job.new.kind != .probe {
            export.progress.jobs += 1
            guard job.lifecycle.state == .done else { continue }
            export.progress.jobsDone += 1
            if job.lifecycle.reused { export.progress.jobsReused += 1 }
            if job.new.kind == .video { export.progress.framesDone += job.new.frameCount }
        }
        return export
    }
}

extension ExportFilter {
    /// Whether an export comes behind the place at which the list begins.
    fileprivate func isBehindPlace(_ export: Export) -> Bool {
        guard let before else { return true }
        return switch order {
        case .newest: export.number < before
        case .oldest: export.number > before
        case .priority: (-export.priority, export.number) > (-(priorityBefore ?? 0), before)
        }
    }
}
