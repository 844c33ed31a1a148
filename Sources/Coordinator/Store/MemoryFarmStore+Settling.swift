import FarmAPI
import DraftCompiler
import ExportPlan
import JobQueue
import FoundationEssentials

/// What a finished job means for others, in memory: jobs that wait for the same artifact are done, jobs that needed it
/// may become ready, and an export whose film is stitched is complete.
extension MemoryFarmStore {
    /// Records a finished job's artifact, or a probe's facts, and ends every open job of the tenant for the same
    /// artifact. A job that is dispatched or running goes on and will find the artifact.
    func share(_ done: JobRow, _ result: JobResult, at now: Date) -> JobEffects {
        let facts = result.facts
        noteFetched(result.fetched ?? [:], tenant: done.tenant, at: now)
        var effects = JobEffects()
        var affected: Set<Int> = []
        if done.new.kind != .probe {
            artifacts[done.tenantKey] = result.warnings ?? []
            artifactUses[done.tenantKey] = now
        }
        if done.lifecycle.state == .done, let export = exportPlaces[done.export] {
            note(facts, for: done)
            affected.insert(export)
        } else {
            noteOnAsset(facts, for: done)
        }
        let open = JobLifecycle.states(changedBy: .artifactMade)
        for place in jobRows.indices where jobRows[place].tenantKey == done.tenantKey {
            guard open.contains(jobRows[place].lifecycle.state) else { continue }
            advance(job: place, .artifactMade, at: now)
            effects.reused[jobRows[place].new.kind, default: 0] += 1
            note(facts, for: jobRows[place])
            if let export = exportPlaces[jobRows[place].export] { affected.insert(export) }
            effects.hasNews = true
        }
        for export in affected.sorted() { effects.merge(settle(export, at: now)) }
        return effects
    }

    /// Notes the sources that a worker has fetched: as assets of the tenant, and how to ask whether they have changed.
    private func noteFetched(_ sources: [String: FetchedSource], tenant: Int64, at now: Date) {
        for (location, source) in sources.sorted(by: { $0.key < $1.key }) {
            fetchedSources["\(tenant) \(location)"] = source
            if let place = assetRows.firstIndex(where: { $0.tenant == tenant && $0.asset.hash == source.contentHash }) {
                assetRows[place].usedAt = now
            } else {
                let asset = Asset(
                    hash: source.contentHash, byteCount: source.byteCount, name: RemoteLocation.fileName(of: location),
                    createdAt: now)
                assetRows.append(AssetRow(tenant: tenant, asset: asset, usedAt: now))
            }
        }
    }

    private func note(_ facts: SourceFacts?, for probe: JobRow) {
        guard let facts, let location = probe.location, let export = exportPlaces[probe.export] else { return }
        exportRows[export].probeResults[location] = .facts(facts)
        noteOnAsset(facts, for: probe)
    }

    private func noteOnAsset(_ facts: SourceFacts?, for probe: JobRow) {
        guard let facts, let location = probe.location else { return }
        for place in assetRows.indices where assetRows[place].tenant == probe.tenant && assetRows[place].location == location {
            assetRows[place].facts = facts
        }
    }

    /// Makes jobs ready that have all they need, and completes the export when its film, if it makes one, and its pictures
    /// exist.
    func settle(_ export: Int, at now: Date) -> JobEffects {
        var effects = JobEffects()
        let jobs = exportRows[export].jobs
        let open = Set(jobs.filter { jobRows[$0].lifecycle.state != .done }.map { jobRows[$0].new.kind })
        for place in jobs where jobRows[place].lifecycle.state == .waiting {
            guard open.isDisjoint(with: jobRows[place].new.kind.needs) else { continue }
            advance(job: place, .needsMet, at: now)
            effects.hasNews = true
        }
        // An export that makes a picture by itself has no stitch.
        let hasResult = jobs.contains { jobRows[$0].new.kind.isResult }
        guard hasResult, open.isDisjoint(with: JobKind.results), let attempts = advance(export, .filmMade, at: now) else {
            return effects
        }
        effects.toCancel = attempts
        effects.endedExports[exportRows[export].export.id] = .completed
        return effects
    }
}
