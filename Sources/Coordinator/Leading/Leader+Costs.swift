import ExportPlan
package import FarmAPI
import JobQueue
import Synchronization
import FoundationEssentials

/// What the leader learns of the times that jobs take, and how it predicts them (docs/cost-model.md).
///
/// It learns in memory, beside the transactions, so that a job costs no statement more. What it has learned is stored
/// every ten seconds, where there is anything new; the next leader begins with that.
extension Leader {
    /// How often what was learned is stored.
    private static let costInterval = Duration.seconds(10)

    /// Reads what earlier leaders learned, and stores what this one learns, until the task is cancelled.
    func keepCosts() async {
        var isLoaded = false
        while !Task.isCancelled {
            await retrying("cost models") {
                // What is stored is not replaced before it is known.
                if !isLoaded { try await loadCosts() }
                isLoaded = true
                try await saveCosts()
            }
            try? await Task.sleep(for: Leader.costInterval)  // cancelled: the loop's condition ends the loop
        }
    }

    /// Notes on which machines the workers are. All workers that there are have to be among them.
    package func noteMachines(of workers: [WorkerStatus]) { costs.note(workers) }

    /// Takes over what earlier leaders learned.
    package func loadCosts() async throws { costs.adopt(try await store.costModels()) }

    /// Stores what was learned since the last call.
    package func saveCosts() async throws {
        guard let changes = costs.takeChanges() else { return }
        do {
            try await store.saveCostModels(changes.models, forgetting: changes.forgotten)
        } catch {
            costs.restore(changes)
            throw error
        }
    }
}

/// The cost model of the leader's tasks.
final class LeaderCosts: Sendable {
    private let model = Mutex(FarmCostModel())

    func note(_ workers: [WorkerStatus]) { model.withLock { $0.note(workers) } }

    func learn(_ reports: [JobReport], at now: Date) { model.withLock { $0.learn(reports, at: now) } }

    func adopt(_ stored: [StoredCostModel]) { model.withLock { $0.adopt(stored) } }

    /// The coefficients for new jobs of a pool.
    func table(forPool pool: String) -> CostTable { model.withLock { $0.table(forPool: pool) } }

    func takeChanges() -> FarmCostModel.Changes? { model.withLock { $0.takeChanges() } }

    func restore(_ changes: FarmCostModel.Changes) { model.withLock { $0.restore(changes) } }
}
