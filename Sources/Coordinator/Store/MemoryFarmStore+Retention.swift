package import ExportPlan
import FarmAPI
package import FoundationEssentials

/// Removal by age, in memory. Rows keep their places and are marked instead.
extension MemoryFarmStore: RetentionStore {
    package func cutoff(beyondNewest count: Int) -> Date? {
        let ends = exportRows.filter { !$0.isRemoved }.compactMap(\.export.finishedAt).sorted(by: >)
        guard count > 0 else { return ends.first.map { $0 + 0.000_001 } }
        return ends.indices.contains(count - 1) ? ends[count - 1] : nil
    }

    package func moveToHistory(endedBefore cutoff: Date, limit: Int) -> RowCounts {
        var counts = RowCounts()
        let moving = places(endedBefore: cutoff) { !$0.hasMoved }.prefix(max(1, limit / 10))
        for place in moving where exportRows[place].progress == nil {
            exportRows[place].progress = export(exportRows[place].export.id, tenant: nil)?.progress
        }
        let jobs = moving.flatMap { exportRows[$0].jobs }.filter { jobRows[$0].place == .hot }.sorted()
        for job in jobs.prefix(limit) {
            jobRows[job].place = .history
            counts.movedJobs += 1
            counts.movedAttempts += jobRows[job].attempts.count
            counts.movedEvents += moveEvents { $0.job == jobRows[job].id }
        }
        for place in moving where exportRows[place].jobs.allSatisfy({ jobRows[$0].place != .hot }) {
            exportRows[place].hasMoved = true
            exportRows[place].probeResults = [:]
            counts.movedExports += 1
            counts.movedEvents += moveEvents { $0.export == exportRows[place].export.id }
        }
        return counts
    }

    /// This store counts jobs when it is asked.
    package func addUpQueueCounts() {}

    package func clearLogs(endedBefore cutoff: Date, limit: Int) -> RowCounts {
        var counts = RowCounts()
        for job in jobRows.indices where jobRows[job].place == .history {
            for place in jobRows[job].attempts.indices where isLogged(jobRows[job].attempts[place], before: cutoff) {
                guard counts.clearedLogs < limit else { return counts }
                jobRows[job].attempts[place].log = ""
                counts.clearedLogs += 1
            }
        }
        return counts
    }

    package func dropEvents(before cutoff: Date, limit: Int) -> RowCounts {
        var counts = RowCounts()
        for event in eventRows.lazy.filter({ self.isInHistory($0) && $0.at < cutoff }).prefix(limit) {
            removedEvents.insert(event.id)
            counts.droppedEvents += 1
        }
        return counts
    }

    package func dropHistory(endedBefore cutoff: Date, limit: Int) -> RowCounts {
        var counts = RowCounts()
        for job in oldJobs(cutoff).prefix(limit) {
            jobRows[job].place = .nowhere
            counts.droppedJobs += 1
            counts.droppedAttempts += jobRows[job].attempts.count
        }
        return counts
    }

    package func dropRevisions(before cutoff: Date, keeping newest: Int, limit: Int) -> RowCounts {
        var counts = RowCounts()
        for (draft, revision) in oldRevisions(cutoff, newest).prefix(limit) {
            draftRows[draft].revisions[revision].isRemoved = true
            counts.droppedRevisions += 1
        }
        return counts
    }

    package func dropDeliveries(endedBefore cutoff: Date, limit: Int) -> RowCounts {
        var counts = RowCounts()
        let old = Set(oldDeliveries(cutoff).prefix(limit))
        deliveryRows.removeAll { old.contains($0.delivery.id) }
        counts.droppedDeliveries = old.count
        return counts
    }

    private func oldDeliveries(_ cutoff: Date) -> [Int64] {
        deliveryRows.map(\.delivery).filter { delivery in
            delivery.endedAt.map { $0 < cutoff } ?? false || !webhookRows.contains { $0.webhook.id == delivery.webhook }
        }.map(\.id)
    }

    package func dropExports(endedBefore cutoff: Date, limit: Int) -> RowCounts {
        var counts = RowCounts()
        for place in places(endedBefore: cutoff, where: \.hasMoved).prefix(limit) {
            drop(place)
            counts.droppedExports += 1
        }
        return counts
    }

    package func dropAdminActions(before cutoff: Date, limit: Int) -> RowCounts {
        var counts = RowCounts()
        counts.droppedAdminActions = adminRows.prefix(limit).prefix { $0.at < cutoff }.count
        adminRows.removeFirst(counts.droppedAdminActions)
        return counts
    }

    package func dropWorkers(unseenSince cutoff: Date, limit: Int) -> RowCounts {
        var counts = RowCounts()
        let old = workerRows.values.filter { $0.seenAt < cutoff }.map(\.id).sorted().prefix(limit)
        for id in old { workerRows[id] = nil }
        counts.droppedWorkers = old.count
        return counts
    }

    /// Removes an export with everything that is its own.
    func drop(_ place: Int) {
        let id = exportRows[place].export.id
        for event in eventRows where event.export == id { removedEvents.insert(event.id) }
        for job in exportRows[place].jobs { jobRows[job].place = .nowhere }
        idempotencyRows = idempotencyRows.filter { $0.value.export != id }
        forgetDeadLetters(of: id)
        exportPlaces[id] = nil
        exportRows[place].isRemoved = true
    }

    package func expired(_ cutoffs: RetentionCutoffs) -> RowCounts {
        var counts = RowCounts()
        let moving = cutoffs.jobs.map { places(endedBefore: $0) { !$0.hasMoved } } ?? []
        let jobs = moving.flatMap { exportRows[$0].jobs }.filter { jobRows[$0].place == .hot }
        let events = eventRows.filter { event in
            !movedEvents.contains(event.id) && moving.contains { exportRows[$0].export.id == event.export }
        }
        counts.movedExports = moving.count
        counts.movedJobs = jobs.count
        counts.movedAttempts = jobs.reduce(0) { $0 + jobRows[$1].attempts.count }
        counts.movedEvents = events.count
        if let logs = cutoffs.logs {
            let history = jobRows.indices.filter { jobRows[$0].place == .history }
            counts.clearedLogs = (history + jobs).flatMap { jobRows[$0].attempts }.count { isLogged($0, before: logs) }
        }
        if let before = cutoffs.events {
            counts.droppedEvents = (eventRows.filter(isInHistory) + events).count { $0.at < before }
        }
        if let history = cutoffs.history {
            let dropped =
                oldJobs(history)
                + jobs.filter { job in
                    exportPlaces[jobRows[job].export].flatMap { exportRows[$0].export.finishedAt }.map { $0 < history } ?? false
                }
            counts.droppedJobs = dropped.count
            counts.droppedAttempts = dropped.reduce(0) { $0 + jobRows[$1].attempts.count }
        }
        if let revisions = cutoffs.revisions {
            counts.droppedRevisions = oldRevisions(revisions, cutoffs.keptRevisions).count
        }
        counts.droppedDeliveries = cutoffs.deliveries.map { oldDeliveries($0).count } ?? 0
        counts.droppedAdminActions = cutoffs.adminActions.map { cutoff in adminRows.prefix { $0.at < cutoff }.count } ?? 0
        counts.droppedWorkers = cutoffs.workers.map { cutoff in workerRows.values.count { $0.seenAt < cutoff } } ?? 0
        if let exports = cutoffs.exports {
            counts.droppedExports =
                places(endedBefore: exports) { $0.hasMoved }.count
                + moving.count { exportRows[$0].export.finishedAt.map { $0 < exports } ?? false }
        }
        return counts
    }

    // MARK: What is old

    /// The places of exports that ended before a time, the earliest first.
    private func places(endedBefore cutoff: Date, where condition: (ExportRow) -> Bool) -> [Int] {
        exportRows.indices
            .filter { !exportRows[$0].isRemoved && condition(exportRows[$0]) }
            .compactMap { place in exportRows[place].export.finishedAt.map { (place, $0) } }
            .filter { $0.1 < cutoff }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
    }

    private func moveEvents(_ condition: (ExportEvent) -> Bool) -> Int {
        let moving = eventRows.filter { !movedEvents.contains($0.id) && condition($0) }
        movedEvents.formUnion(moving.map(\.id))
        return moving.count
    }

    private func isInHistory(_ event: ExportEvent) -> Bool {
        movedEvents.contains(event.id) && !removedEvents.contains(event.id)
    }

    private func isLogged(_ attempt: JobAttempt, before cutoff: Date) -> Bool {
        !attempt.log.isEmpty && attempt.finishedAt.map { $0 < cutoff } ?? false
    }

    private func oldJobs(_ cutoff: Date) -> [Int] {
        places(endedBefore: cutoff) { _ in true }.flatMap { exportRows[$0].jobs }.filter { jobRows[$0].place == .history }
    }

    private func oldRevisions(_ cutoff: Date, _ newest: Int) -> [(draft: Int, revision: Int)] {
        draftRows.indices.filter { draftRows[$0].name != nil }.flatMap { draft in
            let revisions = draftRows[draft].revisions
            return revisions.indices.dropLast(max(1, newest)).filter { revision in
                !revisions[revision].isRemoved && revisions[revision].createdAt < cutoff
                    && !exportRows.contains { !$0.isRemoved && $0.draft == (draft, revision) }
            }.map { (draft, $0) }
        }
    }

    // MARK: Files

    package func artifactRecords(
        _ keys: [ArtifactKey], tenant: Int64, _ cutoffs: FileCutoffs
    ) -> [ArtifactKey: FileRecord] {
        keys.reduce(into: [:]) { records, key in
            let own = TenantKey(tenant: tenant, key: key)
            guard artifacts[own] != nil, let used = artifactUses[own] else { return }
            records[key] = FileRecord(usedAt: used, need: need(of: own, cutoffs))
        }
    }

    package func assetRecords(_ hashes: [String], tenant: Int64, _ cutoffs: FileCutoffs) -> [String: FileRecord] {
        hashes.reduce(into: [:]) { records, hash in
            guard let row = assetRows.first(where: { $0.tenant == tenant && $0.asset.hash == hash }) else { return }
            records[hash] = FileRecord(usedAt: row.usedAt, need: need(of: row))
        }
    }

    package func artifactsInUse(_ keys: [ArtifactKey], tenant: Int64) -> Set<ArtifactKey> {
        Set(keys.filter { need(of: TenantKey(tenant: tenant, key: $0), FileCutoffs()) == .openExport })
    }

    package func artifacts(of tenant: Int64, usedBefore: Date, after: String, limit: Int) -> [ArtifactKey] {
        let old = artifactUses.filter { $0.key.tenant == tenant && $0.key.key.text > after && $0.value < usedBefore }
        return Array(old.keys.map(\.key).sorted { $0.text < $1.text }.prefix(limit))
    }

    package func removeArtifacts(
        _ keys: [ArtifactKey], tenant: Int64, usedBefore: Date, _ cutoffs: FileCutoffs,
        removeFiles: @escaping @Sendable ([ArtifactKey]) throws -> Void
    ) throws -> [ArtifactKey] {
        let records = artifactRecords(keys, tenant: tenant, cutoffs)
        let removed = keys.filter { key in records[key].map { $0.need == nil && $0.usedAt < usedBefore } ?? false }
        if !removed.isEmpty { try removeFiles(removed) }
        for key in removed {
            artifacts[TenantKey(tenant: tenant, key: key)] = nil
            artifactUses[TenantKey(tenant: tenant, key: key)] = nil
        }
        return removed
    }

    package func removeAssets(
        _ hashes: [String], tenant: Int64, usedBefore: Date, _ cutoffs: FileCutoffs,
        removeFiles: @escaping @Sendable ([String]) throws -> Void
    ) throws -> [String] {
        let records = assetRecords(hashes, tenant: tenant, cutoffs)
        let removed = hashes.filter { hash in records[hash].map { $0.need == nil && $0.usedAt < usedBefore } ?? false }
        if !removed.isEmpty { try removeFiles(removed) }
        assetRows.removeAll { $0.tenant == tenant && removed.contains($0.asset.hash) }
        return removed
    }

    private func need(of artifact: TenantKey, _ cutoffs: FileCutoffs) -> FileNeed? {
        let isMade = jobRows.contains { $0.tenantKey == artifact && !$0.lifecycle.state.isTerminal }
        let own = exportRows.filter { !$0.isRemoved && $0.export.tenant == artifact.tenant }
        let isUsed = own.contains { row in
            row.export.state == .rendering
                && (row.export.filmKey == artifact.key || row.jobs.contains { jobRows[$0].new.key == artifact.key })
        }
        if isMade || isUsed { return .openExport }
        let isFilm = own.contains { row in
            let isOwn = row.export.filmKey == artifact.key || row.export.pictures?.keys.contains(artifact.key) == true
            guard row.export.state == .completed, isOwn, row.export.filmRemovedAt == nil else { return false }
            guard let films = cutoffs.films, let end = row.export.finishedAt else { return true }
            return end >= films || publicationRows[row.export.id]?.publication.state == .pending
        }
        return isFilm ? .film : nil
    }

    private func need(of asset: AssetRow) -> FileNeed? {
        let own = exportRows.filter { !$0.isRemoved && $0.export.tenant == asset.tenant }
        let isUsed = own.contains { row in
            switch row.export.state {
            case .submitted, .probing: row.export.createdAt < clock() - 12 * 3600
            case .rendering:
                row.probeResults[asset.location] != nil || row.probeResults.values.contains { $0.reads(asset.asset.hash) }
            case .completed, .failed, .cancelled: false
            }
        }
        if isUsed { return .openExport }
        let named = draftRows.filter { $0.tenant == asset.tenant && $0.name != nil }
            .flatMap(\.revisions).filter { !$0.isRemoved }.map(\.document)
        let uncompiled = own.filter { $0.export.state == .submitted || $0.export.state == .probing }.map(\.document)
        let isMentioned = (named + uncompiled).contains { document in
            document.contains(asset.asset.hash) || (3...7).contains { document.contains("\\u00\($0)") }
        }
        let isRecorded = recordingRows.values.contains { record in
            record.tenant == asset.tenant && record.content.stateName != "discarded"
                && MemoryFarmStore.text(record.content).contains(asset.asset.hash)
        }
        return isMentioned || isRecorded ? .draft : nil
    }

    /// A recording's content as it would be stored; empty where it cannot be, which no recording is.
    private static func text(_ content: RecordingRecord.Content) -> String {
        (try? JSONEncoder().encode(content)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension ProbeResult {
    /// Whether the source has the bytes with this sha256.
    fileprivate func reads(_ hash: String) -> Bool {
        guard case .facts(let facts) = self else { return false }
        return facts.contentHash == hash
    }
}
