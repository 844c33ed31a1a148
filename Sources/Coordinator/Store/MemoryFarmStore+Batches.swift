package import FarmAPI
import DraftModel
import ExportPlan
import JobQueue
package import FoundationEssentials

/// A batch in memory. Its counts follow from its rows and exports.
struct StoredBatchRow {
    var number: Int
    var values: [String: String]
    var output: String?
    var tags: [String: String] = [:]
    var faults: [DraftDiagnostic]?
    var isWaiting: Bool
    var export: ExportID?
}

struct BatchRecord {
    var batch: Batch
    var new: NewBatch
    var draft: (place: Int, revision: Int)
    var document: String
    var rows: [StoredBatchRow]
    var releaseAt: Date
    /// Whether an operator gave it a priority above the tenant's cap.
    var exceedsCap: Bool
}

extension MemoryFarmStore: BatchStore {
    package func submit(_ new: NewBatch) throws -> (batch: Batch, isNew: Bool) {
        guard let owner = tenantRows.first(where: { $0.id == new.tenant }) else {
            throw FarmError(.notFound, "there is no tenant \(new.tenant)")
        }
        if let idempotency = new.idempotency,
            let earlier = batchRows.first(where: { $0.new.tenant == new.tenant && $0.new.idempotency?.key == idempotency.key })
        {
            guard earlier.new.idempotency == idempotency else {
                throw FarmError(.conflict, "the idempotency key '\(idempotency.key)' was used for another request")
            }
            return (settled(earlier), false)
        }
        guard !new.rows.isEmpty else { throw FarmError(.invalid, "a batch has at least one row") }
        try PriorityCap(tenant: owner.name, cap: owner.priorityCap).check(
            new.request.priority, mayExceedCap: new.request.mayExceedCap)
        let now = clock()
        let (document, draft) = try document(of: new.request.subject, tenant: new.tenant, at: now)
        let progress = BatchProgress(rows: new.rows.count, refused: new.refused.count, waiting: new.rows.count)
        let request = new.request
        let batch = Batch(
            id: new.id, number: Int64(batchRows.count + 1), tenant: new.tenant, label: request.label, pool: request.pool,
            state: .running, pace: new.pace, tags: request.tags.isEmpty ? nil : request.tags, metadata: request.metadata,
            createdAt: now, progress: progress, warnings: new.warnings)
        let rows =
            new.rows.map {
                StoredBatchRow(number: $0.number, values: $0.values, output: $0.output, tags: $0.tags, isWaiting: true)
            } + new.refused.map { StoredBatchRow(number: $0.number, values: $0.values, faults: $0.faults, isWaiting: false) }
        batchRows.append(
            BatchRecord(
                batch: batch, new: new, draft: draft, document: document,
                rows: rows.sorted { $0.number < $1.number }, releaseAt: now,
                exceedsCap: request.priority.map { $0 > owner.priorityCap } ?? false))
        return (batch, true)
    }

    package func batch(_ id: BatchID, tenant: Int64?) -> Batch? {
        batchRows.first { $0.batch.id == id && (tenant == nil || tenant == $0.batch.tenant) }.map(settled)
    }

    package func batches(tenant: Int64?, state: BatchState?, before number: Int64?, limit: Int) -> [Batch] {
        let all = batchRows.reversed().filter { tenant == nil || tenant == $0.batch.tenant }.map(settled)
        return Array(all.filter { (state == nil || state == $0.state) && $0.number < number ?? .max }.prefix(limit))
    }

    package func results(of id: BatchID, after row: Int, state: BatchRowState?, limit: Int) -> [BatchResult] {
        let rows = batchRows.first { $0.batch.id == id }?.rows ?? []
        let results = rows.filter { $0.number > row }.map(result)
        return Array(results.filter { state == nil || $0.state == state }.prefix(limit))
    }

    private func result(of row: StoredBatchRow) -> BatchResult {
        let export = row.export.flatMap { self.export($0, tenant: nil) }
        var state = export.map { BatchRowState($0.state) } ?? .cancelled
        if row.isWaiting { state = .waiting }
        if row.faults != nil { state = .refused }
        return BatchResult(
            row: row.number, state: state, output: row.output, export: row.export, frames: export?.frameCount,
            finishedAt: export?.finishedAt, message: row.faults.map(BatchResult.message) ?? export?.failure?.message,
            values: row.values)
    }

    package func cancelWaiting(_ id: BatchID, limit: Int) -> [ExportID]? {
        guard let place = batchRows.firstIndex(where: { $0.batch.id == id }) else { return nil }
        for row in batchRows[place].rows.indices { batchRows[place].rows[row].isWaiting = false }
        noteEnd(of: place)
        let exports = batchRows[place].rows.compactMap(\.export)
        return Array(exports.filter { self.export($0, tenant: nil)?.state.isTerminal == false }.prefix(limit))
    }

    package func rerunFailed(_ id: BatchID) -> Int {
        guard let place = batchRows.firstIndex(where: { $0.batch.id == id }) else { return 0 }
        var count = 0
        for row in batchRows[place].rows.indices {
            guard let export = batchRows[place].rows[row].export, let exportPlace = exportPlaces[export],
                exportRows[exportPlace].export.state == .failed
            else { continue }
            exportRows[exportPlace].export.batch = nil
            batchRows[place].rows[row].export = nil
            batchRows[place].rows[row].isWaiting = true
            count += 1
        }
        if count > 0 { batchRows[place].releaseAt = max(batchRows[place].releaseAt, clock()) }
        noteEnd(of: place)
        return count
    }

    package func hasWaitingRows() -> Bool { batchRows.contains { $0.rows.contains(where: \.isWaiting) } }

    package func releaseRows(at now: Date) -> Int {
        let due = batchRows.indices.filter { place in
            let record = batchRows[place]
            return record.releaseAt <= now && record.rows.contains(where: \.isWaiting)
                && settled(record).progress.open < ReleasePace.window && room(for: record) ?? 1 > 0
        }
        guard let place = due.min(by: { batchRows[$0].releaseAt < batchRows[$1].releaseAt }) else { return 0 }
        let record = batchRows[place]
        let (count, next) = ReleasePace(perMinute: record.new.pace).release(
            due: record.releaseAt, at: now, open: settled(record).progress.open)
        let rows = record.rows.indices.filter { record.rows[$0].isWaiting }.prefix(min(count, room(for: record) ?? count))
        for row in rows { release(row, of: place, at: now) }
        batchRows[place].releaseAt = next
        return rows.count
    }

    /// How many more exports the batch's tenant may have; nil for no limit.
    private func room(for record: BatchRecord) -> Int? {
        guard let owner = tenantRows.first(where: { $0.id == record.new.tenant }) else { return nil }
        return TenantQuota(owner).room(openExports: openExportCount(of: owner.id))
    }

    private func release(_ row: Int, of place: Int, at now: Date) {
        let record = batchRows[place]
        let (request, values) = (record.new.request, record.rows[row])
        let cap = tenantRows.first { $0.id == record.new.tenant }?.priorityCap ?? 0
        let id = ExportID()
        let export = Export(
            id: id, number: Int64(exportRows.count + 1), tenant: record.new.tenant,
            label: String((values.output ?? "").suffix(TextCheck.labelLength)),
            priority: record.exceedsCap ? request.priority ?? 0 : min(request.priority ?? 0, cap), pool: request.pool,
            state: ExportLifecycle().state, createdAt: now, tags: values.tags.isEmpty ? nil : values.tags,
            metadata: request.metadata, batch: BatchRowReference(id: record.batch.id, row: values.number))
        exportPlaces[id] = exportRows.count
        let own = values.values.filter { record.new.columns.contains($0.key) }
        exportRows.append(
            ExportRow(
                export: export, document: record.document, parameters: request.parameters.merging(own) { $1 },
                settings: request.settings, draft: record.draft))
        log(.submitted, id, "accepted", at: now)
        batchRows[place].rows[row].isWaiting = false
        batchRows[place].rows[row].export = id
    }

    /// Notes that an export of a batch has ended, or goes on.
    func noteEnd(ofExport export: Export) {
        guard let batch = export.batch?.id, let place = batchRows.firstIndex(where: { $0.batch.id == batch }) else { return }
        noteEnd(of: place)
    }

    private func noteEnd(of place: Int) {
        let batch = settled(batchRows[place])
        let isNew = batch.endedAt == nil && batch.state != .running
        batchRows[place].batch.endedAt = batch.state == .running ? nil : batch.endedAt ?? clock()
        if isNew { addDeliveries(aboutEndOf: settled(batchRows[place])) }
    }

    /// The batch with the counts that its rows have now.
    private func settled(_ record: BatchRecord) -> Batch {
        var batch = record.batch
        var progress = BatchProgress(rows: record.new.rows.count, refused: record.new.refused.count)
        for result in record.rows.map(result) {
            switch result.state {
            case .waiting: progress.waiting += 1
            case .completed: progress.completed += 1
            case .failed: progress.failed += 1
            case .cancelled: progress.cancelled += 1
            case .refused, .submitted, .probing, .rendering: break
            }
        }
        batch.progress = progress
        batch.state = progress.state
        return batch
    }
}
