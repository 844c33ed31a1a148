package import FarmAPI
import JobQueue
import Logging
import Scheduling

/// Starts copies of stragglers (`Scheduler.stragglers`).
extension Leader {
    /// Begins a second attempt on another worker at each job that takes far longer than predicted while its export waits
    /// for little else and slots are idle. The first attempt to succeed counts, and the other one is cancelled.
    ///
    /// The copy is no work of the tenant's, so it is neither charged nor counted by the scheduler: it runs only where
    /// nothing is due, and a job that becomes due meanwhile waits for one slot less.
    package func copyStragglers(_ state: DispatchState, _ workers: [WorkerStatus]) async throws {
        guard state.knowsAll else { return }
        let stragglers = state.scheduler.stragglers(among: workers)
        guard !stragglers.isEmpty else { return }
        let farm = if let known = state.farm { known } else { try await store.farm() }
        for straggler in stragglers {
            term.noteProgress()
            // Another attempt may be under way already, or none any more.
            guard var ticket = try await store.copy(straggler.attempt, at: term.now()) else { continue }
            ticket.farm = farm
            ticket.worker = straggler.worker
            ticket.readyAt = nil
            logger.info(
                "job \(straggler.attempt.job) takes far longer than predicted; a copy goes to worker '\(straggler.worker)'",
                metadata: .ids(export: ticket.export, job: ticket.job, attempt: ticket.attempt))
            var tickets = [ticket]
            LeaderTraces.mark(&tickets)
            try await queue.send(tickets)
            LeaderTraces.sent(tickets, readySince: [:], at: term.now())
        }
    }
}
