import DraftCompiler
import ExportPlan
import JobQueue

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a finished job means for others, in memory: whoever waits for the same artifact has it, jobs that needed it may go,
/// and an export whose film is stitched is complete.
extension MemoryFarmStore {
    /// Notes a finished job's artifact (of a probe what it found), and ends every open job of the tenant for the same one that
    /// is not under way itself; one that is will find the artifact.
    func share(_ done: JobRow, _ result: JobResult, at now: Date) -> JobEffects {
        let facts = result.facts
        var effects = JobEffects()
        var affected: Set<Int> = []
        if done.new.kind != .probe { artifacts[done.tenantKey] = result.warnings ?? [] }
        if done.lifecycle.state == .done, let export = exportPlaces[done.export] {
            note(facts, for: done)
            affected.insert(export)
        } else {
            noteOnAsset(facts, for: done)
        }
        for place in jobRows.indices where jobRows[place].tenantKey == done.tenantKey {
            guard jobRows[place].lifecycle.state == .waiting || jobRows[place].lifecycle.state == .ready else { continue }
            jobRows[place].becomeReused(at: now)
            note(facts, for: jobRows[place])
            if let export = exportPlaces[jobRows[place].export] { affected.insert(export) }
            effects.hasNews = true
        }
        for export in affected.sorted() { effects.merge(settle(export, at: now)) }
        return effects
    }

    private func note(_ facts: SourceFacts?, for probe: JobRow) {
        guard let facts, let location = probe.location, let export = exportPlaces[probe.export] else { return }
        exportRows[export].findings[location] = .facts(facts)
        noteOnAsset(facts, for: probe)
    }

    private func noteOnAsset(_ facts: SourceFacts?, for probe: JobRow) {
        guard let facts, let location = probe.location else { return }
        for place in assetRows.indices where assetRows[place].tenant == probe.tenant && assetRows[place].location == location {
            assetRows[place].facts = facts
        }
    }

    /// Makes jobs ready that have all they need, and completes the export when its film is there.
    func settle(_ export: Int, at now: Date) -> JobEffects {
        var effects = JobEffects()
        let jobs = exportRows[export].jobs
        let open = Set(jobs.filter { jobRows[$0].lifecycle.state != .done }.map { jobRows[$0].new.kind })
        for place in jobs where jobRows[place].lifecycle.state == .waiting {
            guard open.isDisjoint(with: jobRows[place].new.kind.needs) else { continue }
            jobRows[place].becomeReady(at: now)
            effects.hasNews = true
        }
        let hasFilm = jobs.contains { jobRows[$0].new.kind == .stitch && jobRows[$0].lifecycle.state == .done }
        if hasFilm, exportRows[export].export.state == .rendering {
            // Nobody needs what is still open: another export's stitch has made the film.
            for place in jobs where !jobRows[place].lifecycle.state.isTerminal {
                effects.toCancel += jobRows[place].cancelAttempts(at: now)
                jobRows[place].becomeReused(at: now)
            }
            let row = exportRows[export]
            let film = row.export.filmKey.flatMap { artifacts[TenantKey(tenant: row.export.tenant, key: $0)] } ?? []
            exportRows[export].export.warnings += row.sourcePlaces.diagnostics(of: film)
            effects.toCancel += end(export, as: .completed, at: now)
            log(.completed, exportRows[export].export.id, "the film is there", at: now)
        }
        return effects
    }
}
