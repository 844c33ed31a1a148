package import ExportPlan
package import FarmAPI
package import FoundationEssentials

/// The audit in memory. The numbers of queues are counted when they are asked for, so they cannot be wrong.
extension MemoryFarmStore: AuditStore {
    package func noteFaults(_ faults: [AuditFault]) {
        faultRows.removeAll { old in faults.contains { ($0.rule, $0.subject) == (old.rule, old.subject) } }
        faultRows += faults
    }

    package func leadAge() -> Double? { 0 }

    package func films(
        of tenant: Int64, _ cutoffs: FileCutoffs, after export: ExportID?, limit: Int
    ) -> [(export: ExportID, keys: [ArtifactKey])] {
        let kept = exportRows.filter { row in
            !row.isRemoved && row.export.tenant == tenant && row.export.state == .completed && row.export.filmRemovedAt == nil
                && (cutoffs.films == nil || row.export.finishedAt ?? .distantPast >= cutoffs.films ?? .distantPast)
                && (export == nil || row.export.id.text > export?.text ?? "")
        }
        return kept.sorted { $0.export.id.text < $1.export.id.text }.prefix(limit).map { row in
            (row.export.id, (row.export.filmKey.map { [$0] } ?? []) + (row.export.pictures?.keys ?? []))
        }
    }

    package func audit(at now: Date) -> [AuditFault] {
        let noted = faultRows.filter { $0.foundAt > now.addingTimeInterval(-AuditFault.lifetime) }
        let found = noted + openJobs(at: now) + attempts(at: now)
        return AuditRule.allCases.flatMap { rule in
            found.filter { $0.rule == rule }.sorted { $0.subject < $1.subject }.prefix(AuditFault.limit)
        }
    }

    private func openJobs(at now: Date) -> [AuditFault] {
        exportRows.filter { $0.progress == nil }.compactMap { export in
            let open = export.jobs.contains { !jobRows[$0].lifecycle.state.isTerminal }
            let state = export.export.state
            guard state.isTerminal ? open : state == .rendering && !open else { return nil }
            return AuditFault(
                .openJobs, subject: export.export.id.text, detail: AuditFault.openJobs(of: state, open: open), foundAt: now)
        }
    }

    private func attempts(at now: Date) -> [AuditFault] {
        jobRows.filter { $0.place == .hot }.compactMap { job in
            let open = job.attempts.contains { $0.finishedAt == nil }
            guard open != job.lifecycle.state.isInFlight else { return nil }
            return AuditFault(
                .attempts, subject: "\(job.id)", detail: AuditFault.attempts(of: job.lifecycle.state, open: open), foundAt: now)
        }
    }
}

extension AuditFault {
    /// The detail of a fault of `AuditRule.openJobs`.
    static func openJobs(of state: ExportState, open: Bool) -> String {
        open ? "is \(state.rawValue) and has jobs that are not over" : "is \(state.rawValue) and all its jobs are over"
    }

    /// The detail of a fault of `AuditRule.attempts`.
    static func attempts(of state: JobState, open: Bool) -> String {
        open ? "is \(state.rawValue) and has an attempt under way" : "is \(state.rawValue) and has no attempt under way"
    }
}
