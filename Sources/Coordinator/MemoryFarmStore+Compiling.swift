public import ExportPlan
import JobQueue

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An export's way from accepted over looked at to compiled, in memory.
extension MemoryFarmStore {
    public func exportsToCompile(
        limit: Int, besides tenants: Set<Int64>, _ exports: Set<ExportID>, served: [Int64]
    ) -> [ExportToCompile] {
        func rank(_ place: Int) -> (Int, Int, Int) {
            let export = exportRows[place].export
            return (served.firstIndex(of: export.tenant).map { $0 + 1 } ?? 0, -export.priority, place)
        }
        return exportRows.indices.filter(canBeCompiled)
            .filter { !tenants.contains(exportRows[$0].export.tenant) && !exports.contains(exportRows[$0].export.id) }
            .sorted { rank($0) < rank($1) }
            .prefix(limit).map { exportRows[$0].export }
            .map { ExportToCompile(id: $0.id, tenant: $0.tenant, state: $0.state) }
    }

    public func source(of id: ExportID) -> ExportSource? { exportPlaces[id].map(source) }

    private func source(at place: Int) -> ExportSource {
        let row = exportRows[place]
        return ExportSource(
            id: row.export.id, tenant: row.export.tenant, pool: row.export.pool, priority: row.export.priority,
            document: row.document, parameters: row.parameters, settings: row.settings)
    }

    func canBeCompiled(_ place: Int) -> Bool {
        switch exportRows[place].export.state {
        case .submitted: true
        case .probing:
            !exportRows[place].jobs.contains { jobRows[$0].new.kind == .probe && !jobRows[$0].lifecycle.state.isTerminal }
        default: false
        }
    }

    /// An asset's bytes never change, so what an earlier probe found out holds: the finding is noted and there is no job.
    /// Without an open job the export is there to be compiled at once. An export that is not `submitted` is left alone.
    @discardableResult
    public func startProbing(_ id: ExportID, jobs: [(location: String, job: NewJob)]) -> Bool {
        guard let place = exportPlaces[id], exportRows[place].export.state == .submitted else { return false }
        let now = clock()
        exportRows[place].export.state = .probing
        for (location, job) in jobs {
            if let facts = knownFacts(of: location, tenant: exportRows[place].export.tenant) {
                exportRows[place].findings[location] = .facts(facts)
            } else {
                add(job, to: place, .ready, location: location, at: now)
            }
        }
        log(.probing, id, "looking at its sources", at: now)
        return canBeCompiled(place)
    }

    public func findings(of id: ExportID) -> [String: SourceFinding] {
        exportPlaces[id].map { exportRows[$0].findings } ?? [:]
    }

    /// A job whose artifact the tenant has is done, and counts as reused; the stitch of a film that is there is ready at once.
    /// An export that is not `probing` is left alone.
    public func startRendering(_ id: ExportID, _ plan: PlannedExport) {
        guard let place = exportPlaces[id], exportRows[place].export.state == .probing else { return }
        let now = clock()
        exportRows[place].export.state = .rendering
        exportRows[place].export.filmKey = plan.filmKey
        exportRows[place].export.frameCount = plan.frameCount
        exportRows[place].export.warnings = plan.warnings
        exportRows[place].sourcePlaces = plan.places
        let tenant = exportRows[place].export.tenant
        let known = plan.jobs.map(\.key).filter { artifacts[TenantKey(tenant: tenant, key: $0)] != nil }
        let there = PlannedReuse(plan.jobs, known: Set(known))
        for job in plan.jobs {
            add(job, to: place, there.isUnneeded(job) ? .done : job.kind.needs.isEmpty ? .ready : .waiting, at: now)
        }
        log(.rendering, id, "\(plan.jobs.count) jobs for \(plan.frameCount) frames", at: now)
        _ = settle(place, at: now)
    }

    public func forget(_ keys: [ArtifactKey], tenant: Int64) {
        for key in keys { artifacts[TenantKey(tenant: tenant, key: key)] = nil }
    }

    private func add(_ job: NewJob, to place: Int, _ state: JobState, location: String? = nil, at now: Date) {
        let export = exportRows[place].export
        var row = JobRow(
            id: Int64(jobRows.count + 1), export: export.id, tenant: export.tenant, new: job, pool: export.pool,
            priority: export.priority, location: location, createdAt: now,
            lifecycle: JobLifecycle(state: state, notBefore: now))
        if state == .ready { row.becomeReady(at: now) }
        if state == .done { row.becomeReused(at: now) }
        exportRows[place].jobs.append(jobRows.count)
        jobRows.append(row)
    }

    private func knownFacts(of location: String, tenant: Int64) -> SourceFacts? {
        assetRows.first { $0.tenant == tenant && $0.location == location }?.facts
    }
}
