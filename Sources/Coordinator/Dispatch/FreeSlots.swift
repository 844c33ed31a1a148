package import FarmAPI
import JobQueue

/// The free slots of each worker, for jobs with excluded workers. Such a job is sent to one worker that may have it,
/// and to no other. Any other job is sent to all workers of its lane, and the first one with a free slot takes it.
package struct FreeSlots: Sendable {
    private let workers: [WorkerStatus]
    private var taken: [String: Int]

    /// - Parameter running: how many jobs each worker has running, by worker id.
    package init(_ workers: [WorkerStatus], running: [String: Int]) {
        self.workers = workers.filter(\.takesJobs)
        taken = running
    }

    /// Takes a slot of the worker with the most free slots.
    /// - Returns: the worker's id; nil when no worker that may have the job has a free slot.
    package mutating func take(for candidate: DispatchCandidate) -> String? {
        let able = workers.filter { $0.serves(candidate.lane) && !candidate.excludedWorkers.contains($0.id) }
        let free = able.map { (id: $0.id, slots: $0.slots - taken[$0.id, default: 0]) }
        guard let best = free.max(by: { ($0.slots, $1.id) < ($1.slots, $0.id) }), best.slots > 0 else { return nil }
        taken[best.id, default: 0] += 1
        return best.id
    }
}
