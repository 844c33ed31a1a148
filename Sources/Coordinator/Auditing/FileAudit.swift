package import ArtifactStore
import ExportPlan
package import FarmAPI
package import FoundationEssentials

/// Compares a farm's database with its store: what the database knows is there and whole, and nothing else is there. It
/// changes nothing, and may run beside coordinators, workers and `spool gc`.
package struct FileAudit: Sendable {
    /// How many files are read to compare their bytes with what was stored.
    package enum Reading: Hashable, Sendable {
        case all
        /// So many of each tenant and kind, chosen at random.
        case sample(Int)
    }

    private let store: any FarmStore
    private let place: CollectedStore
    private let check: BlobCheck
    private let reading: Reading
    private let policy: RetentionPolicy
    private let now: Date

    /// - Parameters:
    ///   - place: the store, whose files are listed.
    ///   - blobs: the same store, whose files are read.
    ///   - policy: says which films are kept.
    ///   - now: by the clock of the database.
    package init(
        store: any FarmStore, files place: CollectedStore, blobs: any BlobStore, reading: Reading, policy: RetentionPolicy,
        at now: Date
    ) {
        self.store = store
        self.place = place
        check = BlobCheck(blobs)
        self.reading = reading
        self.policy = policy
        self.now = now
    }

    /// - Throws: `FarmError`, and `ArtifactError` or `BlobError` where the store is not there or cannot be read.
    package func run() async throws -> FileAuditReport {
        try await place.check()
        var found = FaultList(at: now)
        for tenant in try await store.tenants().map(\.id) {
            let kind = Artifacts(store, place, policy.fileCutoffs(at: now))
            let artifacts = try await check(kind, of: tenant, .artifacts, &found) {
                try await check.fault(of: ArtifactKey($0), tenant: tenant)
            }
            try await checkFilms(of: tenant, artifacts, &found)
            let assets = try await check(Sources(store, place), of: tenant, .assets, &found) {
                try await check.fault(ofAsset: $0, tenant: tenant)
            }
            try await findMissingAssets(of: tenant, assets, &found)
        }
        return FileAuditReport(
            AuditReport(rules: AuditRule.ofFiles, faults: found.ordered(by: AuditRule.ofFiles), at: now), found.files,
            found.readFiles,
            found.readBytes)
    }

    /// - Returns: the names of the files that there are.
    private func check(
        _ kind: some StoredKind, of tenant: Int64, _ rule: AuditRule, _ found: inout FaultList,
        _ fault: (String) async throws -> String?
    ) async throws -> Set<String> {
        let files = try await kind.files(of: tenant).list().files
        found.files += files.count
        var known: [StoredFiles.File] = []
        for start in stride(from: 0, to: files.count, by: GarbageCollection.lookup) {
            let part = files[start..<min(start + GarbageCollection.lookup, files.count)]
            let records = try await kind.records(part.map(\.name), tenant)
            for file in part {
                if records[file.name] != nil {
                    known.append(file)
                } else if now.timeIntervalSince(file.storedAt) > GarbageCollection.unknownAge {
                    found.add(.unknownFiles, file.name, tenant, "is in the store for more than a day, and no row knows it")
                }
            }
        }
        let names = Set(files.map(\.name))
        try await findMissing(kind, names, tenant, rule, &found)
        let chosen =
            switch reading {
            case .all: known
            case .sample(let count): Array(known.shuffled().prefix(count))
            }
        for file in chosen {
            try Task.checkCancellation()
            found.readFiles += 1
            found.readBytes += file.byteCount
            guard let what = try await fault(file.name) else { continue }
            // It may have been removed meanwhile, with its record.
            guard try await kind.records([file.name], tenant)[file.name] != nil else { continue }
            found.add(rule, file.name, tenant, what)
        }
        return names
    }

    /// Records without files.
    private func findMissing(
        _ kind: some StoredKind, _ names: Set<String>, _ tenant: Int64, _ rule: AuditRule, _ found: inout FaultList
    ) async throws {
        var last = ""
        while true {
            let page = try await kind.names(of: tenant, usedBefore: .distantFuture, after: last, limit: GarbageCollection.lookup)
            guard let end = page.last else { return }
            last = end
            for name in page where !names.contains(name) { found.add(rule, name, tenant, "is not there") }
        }
    }

    private func findMissingAssets(of tenant: Int64, _ names: Set<String>, _ found: inout FaultList) async throws {
        var place: ListingPlace?
        while true {
            let page = try await store.assets(tenant: tenant, after: place, limit: GarbageCollection.lookup)
            guard let last = page.last else { return }
            place = ListingPlace(createdAt: last.createdAt, id: last.hash)
            for asset in page where !names.contains(asset.hash) {
                found.add(.assets, asset.hash, tenant, "('\(asset.name)') is not there")
            }
        }
    }

    /// Films have to be there as long as their exports offer them, whatever is known of their artifacts.
    private func checkFilms(of tenant: Int64, _ names: Set<String>, _ found: inout FaultList) async throws {
        var last: ExportID?
        while true {
            let films = try await store.films(
                of: tenant, policy.fileCutoffs(at: now), after: last, limit: GarbageCollection.lookup)
            guard let end = films.last else { return }
            last = end.export
            for film in films where film.keys.contains(where: { !names.contains($0.text) }) {
                found.add(.films, film.export.text, tenant, "is completed, and its film or pictures are not in the store")
            }
        }
    }
}

/// An audit of the files, and how much it looked at.
package struct FileAuditReport: Sendable {
    package var audit: AuditReport
    /// Files in the store.
    package var files: Int
    /// Files and bytes that were read and compared with what was stored.
    package var readFiles: Int
    package var readBytes: Int64

    init(_ audit: AuditReport, _ files: Int, _ readFiles: Int, _ readBytes: Int64) {
        self.audit = audit
        self.files = files
        self.readFiles = readFiles
        self.readBytes = readBytes
    }
}

private struct FaultList {
    private var faults: [AuditRule: [AuditFault]] = [:]
    private let now: Date
    var files = 0
    var readFiles = 0
    var readBytes: Int64 = 0

    init(at now: Date) {
        self.now = now
    }

    mutating func add(_ rule: AuditRule, _ subject: String, _ tenant: Int64, _ detail: String) {
        guard faults[rule, default: []].count < AuditFault.limit else { return }
        faults[rule, default: []].append(
            AuditFault(rule, subject: subject, detail: "of tenant \(tenant) \(detail)", foundAt: now))
    }

    func ordered(by rules: [AuditRule]) -> [AuditFault] { rules.flatMap { faults[$0] ?? [] } }
}
