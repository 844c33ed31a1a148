package import FarmAPI
package import ExportPlan
import JobQueue
import FoundationEssentials

/// An export from acceptance until it is compiled, in memory.
extension MemoryFarmStore {
    package func exportsToCompile(ofEachTenant limit: Int, besides exports: Set<ExportID>) -> [ExportToCompile] {
        let limits = Dictionary(uniqueKeysWithValues: tenantRows.map { ($0.id, $0.maxOpenJobs.map { _ in 1 } ?? limit) })
        let full = Set(tenantRows.filter { hasItsJobs($0, besides: exports) }.map(\.id))
        var listed: [Int64: Int] = [:]
        return exportRows.indices.filter { canBeCompiled($0) && !exports.contains(exportRows[$0].export.id) }
            .sorted { (-exportRows[$0].export.priority, $0) < (-exportRows[$1].export.priority, $1) }
            .map { exportRows[$0].export }
            .filter { export in
                listed[export.tenant, default: 0] += 1
                return listed[export.tenant, default: 0] <= limits[export.tenant] ?? limit && !full.contains(export.tenant)
            }
            .map { export in
                ExportToCompile(
                    id: export.id, tenant: export.tenant, state: export.state, priority: export.priority,
                    isUrgent: tenantRows.contains { $0.id == export.tenant && $0.priorityCap < export.priority },
                    attempts: exportPlaces[export.id].map { exportRows[$0].compileAttempts } ?? 0)
            }
    }

    /// Whether a tenant has as many open jobs as it may have, or an export that is being compiled and may bring more.
    private func hasItsJobs(_ tenant: Tenant, besides exports: Set<ExportID>) -> Bool {
        guard let limit = tenant.maxOpenJobs else { return false }
        let ofTenant = Set(exportRows.lazy.map(\.export).filter { $0.tenant == tenant.id }.map(\.id))
        let open = jobRows.filter { ofTenant.contains($0.export) && !$0.lifecycle.state.isTerminal }
        return !ofTenant.isDisjoint(with: exports) || open.count >= limit
    }

    package func sources(of ids: [ExportID], documentBytes: Int) -> [ExportSource] {
        var bytes = 0
        var listed: [ExportSource] = []
        for place in ids.compactMap({ exportPlaces[$0] }) where listed.isEmpty || bytes < documentBytes {
            listed.append(source(at: place))
            bytes += exportRows[place].document.utf8.count
        }
        return listed
    }

    private func source(at place: Int) -> ExportSource {
        let row = exportRows[place]
        let revision = draftRows[row.draft.place].name.map {
            ExportSource.Revision(name: $0, number: row.draft.revision + 1)
        }
        return ExportSource(
            id: row.export.id, tenant: row.export.tenant, pool: row.export.pool, priority: row.export.priority,
            document: row.document, parameters: row.parameters, settings: row.settings, revision: revision)
    }

    func canBeCompiled(_ place: Int) -> Bool {
        switch exportRows[place].export.state {
        case .submitted: true
        case .probing:
            !exportRows[place].jobs.contains { jobRows[$0].new.kind == .probe && !jobRows[$0].lifecycle.state.isTerminal }
        default: false
        }
    }

    package func beginCompiling(_ ids: [ExportID]) -> [ExportID: Int] {
        var counts: [ExportID: Int] = [:]
        for id in ids {
            guard let place = exportPlaces[id] else { continue }
            exportRows[place].compileAttempts += 1
            counts[id] = exportRows[place].compileAttempts
        }
        return counts
    }

    package func endCompiling(_ ids: [ExportID]) {
        for place in ids.compactMap({ exportPlaces[$0] }) { exportRows[place].compileAttempts = 0 }
    }

    /// The bytes of an asset never change, so the facts from an earlier probe hold: they are recorded and there is no
    /// job. An export without an open probe can be compiled at once. An export that is not `submitted` stays unchanged.
    package func startProbing(_ exports: [ExportProbes]) -> Set<ExportID> {
        let now = clock()
        return Set(exports.filter { startProbing($0.export, jobs: $0.probes, at: now) }.map(\.export))
    }

    private func startProbing(_ id: ExportID, jobs: [(location: String, job: PlannedJob)], at now: Date) -> Bool {
        guard let place = exportPlaces[id], advance(place, .probingBegan(sources: jobs.count), at: now) != nil else {
            return false
        }
        for (location, job) in jobs {
            if let facts = knownFacts(of: location, tenant: exportRows[place].export.tenant) {
                exportRows[place].probeResults[location] = .facts(facts)
            } else {
                add(job, to: place, location: location, at: now)
            }
        }
        return canBeCompiled(place)
    }

    package func probeResults(of ids: [ExportID]) -> [ExportID: [String: ProbeResult]] {
        var results: [ExportID: [String: ProbeResult]] = [:]
        for id in ids { results[id] = exportPlaces[id].map { exportRows[$0].probeResults } }
        return results
    }

    /// A job whose artifact the tenant has is done and counts as reused; the stitch of a film that exists is ready at
    /// once. An export that is not `probing` stays unchanged.
    package func startRendering(_ plans: [ExportPlanned]) -> [JobKind: Int] {
        let now = clock()
        return plans.reduce(into: [:]) { reused, item in
            for kind in startRendering(item.export, item.plan, at: now) { reused[kind, default: 0] += 1 }
        }
    }

    /// - Returns: the kinds of the jobs that are done because their artifact exists.
    private func startRendering(_ id: ExportID, _ plan: PlannedExport, at now: Date) -> [JobKind] {
        guard let place = exportPlaces[id], advance(place, .compiled(plan), at: now) != nil else { return [] }
        let tenant = exportRows[place].export.tenant
        func exists(_ key: ArtifactKey) -> Bool { artifacts[TenantKey(tenant: tenant, key: key)] != nil }
        for job in plan.jobs where exists(job.key) { artifactUses[TenantKey(tenant: tenant, key: job.key)] = now }
        let needed = NeededJobs(plan.jobs, hasFilm: exists(plan.filmKey), where: exists)
        for job in plan.jobs {
            add(job, to: place, isNeeded: needed.contains(job), at: now)
        }
        _ = settle(place, at: now)
        return plan.jobs.filter { !needed.contains($0) }.map(\.kind)
    }

    package func forget(_ keys: [ArtifactKey], tenant: Int64) {
        for key in keys { artifacts[TenantKey(tenant: tenant, key: key)] = nil }
    }

    private func add(_ job: PlannedJob, to place: Int, isNeeded: Bool = true, location: String? = nil, at now: Date) {
        let export = exportRows[place].export
        var row = JobRow(
            id: Int64(jobRows.count + 1), export: export.id, tenant: export.tenant, new: job, pool: export.pool,
            priority: export.priority, location: location, createdAt: now,
            lifecycle: JobLifecycle(planned: job.kind, isNeeded: isNeeded, at: now))
        row.recordState(at: now)
        exportRows[place].jobs.append(jobRows.count)
        jobRows.append(row)
    }

    private func knownFacts(of location: String, tenant: Int64) -> SourceFacts? {
        assetRows.first { $0.tenant == tenant && $0.location == location }?.facts
    }
}
