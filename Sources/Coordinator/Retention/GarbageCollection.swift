import ArtifactStore
import ExportPlan
import FarmAPI
package import FoundationEssentials
import Synchronization

/// Removes stored files that nothing needs: artifacts by age and by size, assets by age, and files that the database
/// does not know. `spool gc` runs it.
///
/// The database decides. The record of a file and the file go in one transaction that holds the record, in which it is
/// looked at once more whether an open export, a film that is kept, a named draft or a recording needs it, so that
/// an export that is compiled meanwhile either keeps the file or does not count on it. A process that is killed leaves
/// records without files, which are found and removed by the next run (an export that meets one makes the artifact
/// again), or files without records, which go once they are older than a day.
package struct GarbageCollection: Sendable {
    /// How many files one transaction removes at most.
    static let batch = 100
    /// How many records are read with one statement.
    static let lookup = 5000
    /// A file without a record stays for this many seconds: its worker's report may be on the way.
    package static let unknownAge: TimeInterval = 86_400

    private let store: any FarmStore
    private let place: CollectedStore
    private let policy: RetentionPolicy
    private let isDryRun: Bool
    private let now: Date

    /// - Parameters:
    ///   - now: by the clock of the database.
    ///   - isDryRun: whether nothing is changed.
    package init(
        store: any FarmStore, files place: CollectedStore, policy: RetentionPolicy, at now: Date, isDryRun: Bool
    ) {
        self.store = store
        self.place = place
        self.policy = policy
        self.now = now
        self.isDryRun = isDryRun
    }

    /// Removes files, and then moves and removes rows that have expired. In this order a dry run sees what the real run
    /// sees; what only the removed rows needed goes with the next run.
    /// - Throws: `FarmError`, and `ArtifactError` or `BlobError` when the store is not there or cannot be read. What was done until then
    ///   stays done.
    package func run() async throws -> GarbageReport {
        try await place.check()
        var report = GarbageReport()
        report.isDryRun = isDryRun
        let tenants = try await store.tenants().map(\.id)
        // A rendering process removes them, too, but only those of the tenants that it works for.
        if !isDryRun { for tenant in tenants { place.removeLeftovers(of: tenant) } }
        let artifacts = Artifacts(store, place, policy.fileCutoffs(at: now))
        report.artifacts = try await collect(tenants, artifacts, policy.artifactsAge, policy.artifactsBytes)
        report.sources = try await collect(tenants, Sources(store, place), policy.sourcesAge, nil)
        let retention = Retention(store: store, policy: policy)
        report.rows = isDryRun ? try await retention.preview(at: now) : try await retention.run(at: now)
        return report
    }

    /// A file that may go.
    private struct Candidate {
        var tenant: Int64
        var file: StoredFiles.File
        var usedAt: Date
    }

    private func collect(
        _ tenants: [Int64], _ kind: some StoredKind, _ age: TimeInterval?, _ limit: Int64?
    ) async throws -> FileReport {
        var report = FileReport()
        let recently = now - RetentionPolicy.shortest
        let cutoff = age.map { min(now - $0, recently) }
        var old: [Candidate] = []
        var young: [Candidate] = []
        for tenant in tenants {
            let files = kind.files(of: tenant)
            let listing = try await files.list()
            report.foreignCount += listing.foreignCount
            var unknown: [StoredFiles.File] = []
            for start in stride(from: 0, to: listing.files.count, by: GarbageCollection.lookup) {
                let part = listing.files[start..<min(start + GarbageCollection.lookup, listing.files.count)]
                let records = try await kind.records(part.map(\.name), tenant)
                for file in part {
                    guard let record = records[file.name] else {
                        unknown.append(file)
                        continue
                    }
                    let candidate = Candidate(tenant: tenant, file: file, usedAt: record.usedAt)
                    if let need = record.need {
                        report.keep(file.byteCount, need.reason)
                    } else if isLookedUp(file) {
                        report.keep(file.byteCount, .inUse)
                    } else if let cutoff, record.usedAt < cutoff {
                        old.append(candidate)
                    } else if limit != nil, record.usedAt < recently {
                        young.append(candidate)
                    } else {
                        report.keep(file.byteCount, .young)
                    }
                }
            }
            try await removeUnknown(unknown, tenant, kind, &report)
            try await removeRecords(without: Set(listing.files.map(\.name)), cutoff, tenant, kind, &report)
        }
        try await remove(old, kind, &report)
        if let limit { try await reduce(young, to: limit, kind, &report) }
        return report
    }

    private func isLookedUp(_ file: StoredFiles.File) -> Bool {
        max(file.usedAt, file.storedAt).timeIntervalSince(now) > -StoredFiles.recently
    }

    /// Removes the longest unused files until what stays is within the limit.
    private func reduce(
        _ files: [Candidate], to limit: Int64, _ kind: some StoredKind, _ report: inout FileReport
    ) async throws {
        var excess = files.reduce(report.keptBytes) { $0 + $1.file.byteCount } - limit
        let order = files.sorted { ($0.usedAt, $0.file.name) < ($1.usedAt, $1.file.name) }
        var going = 0
        while excess > 0, going < order.count {
            excess -= order[going].file.byteCount
            going += 1
        }
        try await remove(Array(order[..<going]), kind, &report)
        for candidate in order[going...] { report.keep(candidate.file.byteCount, .young) }
    }

    /// Removes files with their records.
    private func remove(_ files: [Candidate], _ kind: some StoredKind, _ report: inout FileReport) async throws {
        for (tenant, own) in Dictionary(grouping: files, by: \.tenant).sorted(by: { $0.key < $1.key }) {
            for start in stride(from: 0, to: own.count, by: GarbageCollection.batch) {
                let part = own[start..<min(start + GarbageCollection.batch, own.count)]
                guard !isDryRun else {
                    for candidate in part { report.removed.add(candidate.file.byteCount) }
                    continue
                }
                try Task.checkCancellation()
                let place = kind.files(of: tenant)
                let outcomes = Mutex<[String: StoredFiles.Removal]>([:])
                let gone = try await kind.remove(
                    part.map(\.file.name), tenant, usedBefore: now - RetentionPolicy.shortest
                ) { names in
                    for name in names {
                        let outcome = place.removeNow(name)
                        outcomes.withLock { $0[name] = outcome }
                    }
                }
                var removals = outcomes.withLock { $0 }
                let later = gone.filter { removals[$0] == nil }
                if !later.isEmpty { removals.merge(await place.removeLater(later.sorted())) { $1 } }
                for candidate in part {
                    guard gone.contains(candidate.file.name) else {
                        report.keep(candidate.file.byteCount, .inUse)
                        continue
                    }
                    note(removals[candidate.file.name] ?? .inUse, candidate.file, &report, \.removed)
                }
            }
        }
    }

    /// Removes files that the database does not know, once they are old enough.
    private func removeUnknown(
        _ files: [StoredFiles.File], _ tenant: Int64, _ kind: some StoredKind, _ report: inout FileReport
    ) async throws {
        for start in stride(from: 0, to: files.count, by: GarbageCollection.batch) {
            let part = files[start..<min(start + GarbageCollection.batch, files.count)]
            let inUse = try await kind.inUse(part.map(\.name), tenant)
            var going: [StoredFiles.File] = []
            for file in part {
                if inUse.contains(file.name) {
                    report.keep(file.byteCount, .openExport)
                } else if now.timeIntervalSince(file.storedAt) < GarbageCollection.unknownAge {
                    report.keep(file.byteCount, .unknownAndYoung)
                } else if isLookedUp(file) {
                    report.keep(file.byteCount, .inUse)
                } else if isDryRun {
                    report.removedUnknown.add(file.byteCount)
                } else {
                    going.append(file)
                }
            }
            guard !going.isEmpty else { continue }
            let removals = await kind.files(of: tenant).removeLater(going.map(\.name))
            for file in going { note(removals[file.name] ?? .inUse, file, &report, \.removedUnknown) }
        }
    }

    private func note(
        _ removal: StoredFiles.Removal, _ file: StoredFiles.File, _ report: inout FileReport,
        _ count: WritableKeyPath<FileReport, FileCount>
    ) {
        switch removal {
        case .removed: report[keyPath: count].add(file.byteCount)
        case .inUse: report.keep(file.byteCount, .inUse)
        case .failed(let reason):
            report.keep(file.byteCount, .failed)
            report.note(failure: reason)
        }
    }

    /// Removes old records whose files are not there.
    /// - Parameter names: the names of the files that are there.
    private func removeRecords(
        without names: Set<String>, _ cutoff: Date?, _ tenant: Int64, _ kind: some StoredKind, _ report: inout FileReport
    ) async throws {
        guard let cutoff else { return }
        var last = ""
        while true {
            let found = try await kind.names(of: tenant, usedBefore: cutoff, after: last, limit: GarbageCollection.lookup)
            guard let end = found.last else { return }
            last = end
            let missing = found.filter { !names.contains($0) }
            guard !missing.isEmpty else { continue }
            if isDryRun {
                let records = try await kind.records(missing, tenant)
                report.removedRecords += records.values.count { $0.need == nil }
            } else {
                report.removedRecords += try await kind.remove(missing, tenant, usedBefore: cutoff) { _ in }.count
            }
        }
    }
}
