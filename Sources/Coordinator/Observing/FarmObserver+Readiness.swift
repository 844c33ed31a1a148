package import FarmAPI

/// What is missing in the farm. Everybody may read it, so it says which part does not answer, and neither where that is
/// nor why; the log has the rest.
extension FarmObserver {
    /// Looks whether the farm can work, where the last look is too old.
    package func readiness() async -> (readiness: Readiness, errors: [(part: String, error: any Error)]) {
        async let foundCounts = outcome(counts)
        async let foundWorkers = outcome(workers)
        async let foundRoom = outcome(room)
        return FarmObserver.judge(await foundCounts, await foundWorkers, await foundRoom)
    }

    /// What the last looks found, without asking anybody; nil before the first.
    package func lastReadiness() async -> Readiness? {
        guard let counts = await counts.latest, let workers = await workers.latest, let room = await room.latest else {
            return nil
        }
        return FarmObserver.judge(counts, workers, room).readiness
    }

    private func outcome<Value>(_ look: CachedLook<Value>) async -> Result<Value, any Error> {
        do {
            return .success(try await look.value())
        } catch {
            return .failure(error)
        }
    }

    private static func judge(
        _ counts: Result<FarmCounts, any Error>, _ workers: Result<[WorkerStatus], any Error>,
        _ room: Result<StoreRoom?, any Error>
    ) -> (readiness: Readiness, errors: [(part: String, error: any Error)]) {
        var readiness = Readiness(database: true, queue: true)
        var errors: [(part: String, error: any Error)] = []
        if case .failure(let error) = counts {
            readiness.database = false
            readiness.missing.append("the database does not answer")
            errors.append(("database", error))
        }
        if case .failure(let error) = workers {
            readiness.queue = false
            readiness.missing.append("the queue does not answer")
            errors.append(("queue", error))
        }
        if case .failure(let error) = room {
            readiness.store = false
            readiness.missing.append("the store cannot be used")
            errors.append(("store", error))
        }
        if case .success(let counts) = counts, !counts.hasLeader {
            readiness.warnings.append("no coordinator leads, so nothing is dispatched")
        }
        if case .success(let workers) = workers {
            let working = workers.filter(\.takesJobs)
            for role in WorkerRole.allCases where !working.contains(where: { $0.roles.contains(role) }) {
                readiness.warnings.append("no worker takes jobs of the role \(role.rawValue)")
            }
        }
        return (readiness, errors)
    }
}
