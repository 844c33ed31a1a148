package import FarmAPI
package import Telemetry

/// The numbers of the open jobs and exports.
///
/// A client names the pool of an export, so only pools that workers have served keep their names; all others count
/// together as `other`. That bounds the labels, and no client's text is among them.
struct FarmSamples {
    private(set) var all: [MetricSample] = []

    init(_ counts: FarmCounts) {
        let served = counts.servedPools.union(["default"])
        var jobs: [[String]: Double] = [:]
        var seconds: [[String]: Double] = [:]
        // A lane without jobs has a backlog of 0 seconds, not none, so that a rule can compare it.
        for role in WorkerRole.allCases { for pool in served { seconds[[role.rawValue, pool]] = 0 } }
        for lane in counts.lanes {
            let pool = served.contains(lane.pool) ? lane.pool : "other"
            jobs[[lane.role.rawValue, pool, lane.state.rawValue], default: 0] += Double(lane.jobs)
            guard lane.state == .ready || lane.state == .waiting else { continue }
            seconds[[lane.role.rawValue, pool], default: 0] += lane.seconds
        }
        all += jobs.map { MetricSample(.jobs, $0, $1) }
        all += seconds.map { MetricSample(.backlog, $0, $1) }
        for role in WorkerRole.allCases {
            all.append(MetricSample(.oldestReady, [role.rawValue], counts.oldestReady[role] ?? 0))
            all.append(MetricSample(.paused, [role.rawValue], counts.paused.contains(role) ? 1 : 0))
        }
        all.append(MetricSample(.deadLetters, Double(counts.deadLetters)))
        for state in ExportState.allCases where !state.isTerminal {
            all.append(MetricSample(.openExports, [state.rawValue], Double(counts.openExports[state] ?? 0)))
        }
    }
}

/// The numbers of the workers, added up by role and pool: the number of series depends on neither the number of workers
/// nor on how often they come and go.
struct WorkerSamples {
    private(set) var all: [MetricSample] = []

    /// - Parameter pools: the pools that are told apart.
    init(_ workers: [WorkerStatus], _ pools: Set<String>) {
        var counts: [[String]: Double] = [:]
        var slots: [[String]: Double] = [:]
        for worker in workers {
            let busy = min(worker.slots, worker.running.reduce(0) { $0 + max(1, $1.width ?? 1) })
            let state = worker.isDraining ? "draining" : worker.pausedFor != nil ? "paused" : "working"
            for role in worker.roles {
                for pool in Set(worker.pools.map { pools.contains($0) ? $0 : "other" }) {
                    counts[[role.rawValue, pool, state], default: 0] += 1
                    slots[[role.rawValue, pool, "busy"], default: 0] += Double(busy)
                    // Slots of a worker that takes no jobs are there, but serve nobody.
                    slots[[role.rawValue, pool, worker.takesJobs ? "free" : "closed"], default: 0] += Double(
                        worker.slots - busy)
                }
            }
        }
        all += counts.map { MetricSample(.workers, $0, $1) }
        all += slots.map { MetricSample(.slots, $0, $1) }
        all.append(MetricSample(.workerQueueTime, workers.compactMap(\.queueSeconds).max() ?? 0))
        all.append(MetricSample(.workerDroppedSpans, Double(workers.compactMap(\.droppedSpans).reduce(0, +))))
    }
}

extension FarmObserver {
    /// The numbers of open jobs and exports.
    package static func samples(of counts: FarmCounts) -> [MetricSample] { FarmSamples(counts).all }

    /// The numbers of workers.
    /// - Parameter pools: the pools that are told apart.
    package static func samples(of workers: [WorkerStatus], pools: Set<String>) -> [MetricSample] {
        WorkerSamples(workers, pools).all
    }
}
