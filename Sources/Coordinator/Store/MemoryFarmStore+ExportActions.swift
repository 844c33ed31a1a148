import FarmAPI
import DraftCompiler
import ExportPlan
import JobQueue
import FoundationEssentials

/// Performs what `ExportLifecycle` says, in memory.
extension MemoryFarmStore {
    /// Applies an event to an export.
    /// - Returns: attempts that workers have, and that the caller cancels; nil where the event changes nothing.
    func advance(_ place: Int, _ event: ExportLifecycle.Event, at now: Date) -> [AttemptID]? {
        var lifecycle = ExportLifecycle(exportRows[place].export.state)
        let actions = lifecycle.handle(event)
        guard !actions.isEmpty else { return nil }
        changes.exports.insert(exportRows[place].export.id)
        return actions.flatMap { perform($0, on: place, lifecycle.state, at: now) }
    }

    private func perform(
        _ action: ExportLifecycle.Action, on place: Int, _ state: ExportState, at now: Date
    ) -> [AttemptID] {
        switch action {
        case .recordState(let failure):
            exportRows[place].export.state = state
            exportRows[place].export.failure = failure
            exportRows[place].compileAttempts = 0
            exportRows[place].export.finishedAt = state.isTerminal ? now : nil
            if let event = WebhookEvent(state) { addDeliveries(of: event, about: exportRows[place].export, at: now) }
            queuePublication(place, at: now)
            noteEnd(ofExport: exportRows[place].export)
        case .recordPlan(let plan):
            exportRows[place].export.filmKey = plan.filmKey
            exportRows[place].export.frameCount = plan.frameCount
            exportRows[place].export.pictures = plan.pictures
            exportRows[place].export.warnings = plan.warnings
            exportRows[place].sourcePlaces = plan.places
        case .addFilmWarnings:
            let row = exportRows[place]
            let film = row.export.filmKey.flatMap { artifacts[TenantKey(tenant: row.export.tenant, key: $0)] } ?? []
            exportRows[place].export.warnings += row.sourcePlaces.diagnostics(of: film)
                .filter { !row.export.warnings.contains($0) }
        case .endJobs(let end):
            return endJobs(of: place, as: end, at: now)
        case .reopenJobs(let probes):
            reopenJobs(of: place, probes: probes, at: now)
        case .logEvent(let kind, let job, let message):
            log(kind, exportRows[place].export.id, job: job, message, at: now)
        }
        return []
    }

    private func endJobs(of place: Int, as end: JobState, at now: Date) -> [AttemptID] {
        exportRows[place].jobs.flatMap { advance(job: $0, .exportEnded(as: end), at: now).toCancel }
    }

    private func reopenJobs(of place: Int, probes: Bool, at now: Date) {
        for job in exportRows[place].jobs where (jobRows[job].new.kind == .probe) == probes {
            advance(job: job, .retried, at: now)
        }
        _ = settle(place, at: now)
    }
}
