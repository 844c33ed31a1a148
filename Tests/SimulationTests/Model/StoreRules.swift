import FarmAPI
import ExportPlan

/// The rules that hold in every store at every moment, whatever happened before, as `Tests/CoordinatorTests` checks
/// them, but as text instead of test expectations.
enum StoreRules {
    static func violation(of export: Export, _ jobs: [Job]) -> String? {
        let name = "export \(export.number)"
        if (export.finishedAt != nil) != export.state.isTerminal { return "\(name) is \(export.state), its end is not noted" }
        if (export.failure != nil) != (export.state == .failed) { return "\(name) is \(export.state), with another failure" }
        let open = jobs.filter { !$0.state.isTerminal }
        let rendering = jobs.filter { $0.kind != .probe }
        switch export.state {
        case .submitted: if !jobs.isEmpty { return "\(name) has jobs before it is planned" }
        case .probing:
            if open.contains(where: { $0.kind != .probe }) { return "\(name) is probed, and renders" }
        case .rendering:
            if open.isEmpty { return "\(name) goes on without open jobs" }
            if open.contains(where: { $0.kind == .probe }) { return "\(name) renders, and is probed" }
            if rendering.contains(where: { $0.state == .failed || $0.state == .cancelled }) {
                return "\(name) goes on with a job that is over"
            }
        case .completed:
            if rendering.contains(where: { $0.state != .done }) { return "\(name) is completed without all its jobs" }
        case .failed, .cancelled:
            if let job = open.first { return "\(name) is \(export.state), and its job \(job.id) is \(job.state)" }
        }
        for job in jobs where job.state == .waiting {
            let needed = jobs.filter { job.kind.needs.contains($0.kind) }
            if needed.allSatisfy({ $0.state == .done }) { return "job \(job.id) waits for nothing" }
        }
        let done = rendering.filter { $0.state == .done }
        let progress = export.progress
        let isCounted =
            progress.jobs == rendering.count && progress.jobsDone == done.count
            && progress.jobsReused == done.filter(\.reused).count
        return isCounted ? nil : "the progress of \(name) does not add up"
    }

    static func violation(of job: Job, _ attempts: [JobAttempt]) -> String? {
        let name = "job \(job.id)"
        if (job.finishedAt != nil) != job.state.isTerminal { return "\(name) is \(job.state), its end is not noted" }
        if attempts.map(\.number) != Array(1..<(job.attempt + 1)) { return "\(name) lacks attempts" }
        if attempts.contains(where: { ($0.finishedAt == nil) != ($0.state == .dispatched || $0.state == .running) }) {
            return "an attempt at \(name) is over, its end is not noted"
        }
        let open = attempts.filter { $0.finishedAt == nil }
        let numbers = open.map(\.number)
        // A job that runs may have a copy: two attempts are open then, and each may end before the other.
        let mayBeCopied = job.state == .running && job.attempt > 1 && (1...2).contains(numbers.count)
        if numbers != (job.state.isInFlight ? [job.attempt] : []), !mayBeCopied {
            return "\(name) is \(job.state), with the open attempts \(numbers)"
        }
        if open.contains(where: { $0.state.rawValue != job.state.rawValue }), !mayBeCopied {
            return "\(name) and its attempt differ"
        }
        let winners = attempts.count { $0.state == .succeeded }
        if winners > 1 { return "\(name) has \(winners) winners" }
        if job.state == .done, winners == 0, !job.reused { return "\(name) is done without a winner" }
        return job.reused && job.state != .done ? "\(name) is reused and \(job.state)" : nil
    }

    static func violation(of export: Export, _ events: [ExportEvent]) -> String? {
        let name = "export \(export.number)"
        if events.first?.kind != .submitted { return "the events of \(name) do not begin with its submission" }
        let states = events.compactMap { ExportState(rawValue: $0.kind.rawValue) }
        if states.last != export.state { return "\(name) is \(export.state), and its last event is another" }
        return states.count { $0 == .completed } <= 1 ? nil : "\(name) was completed twice"
    }
}
