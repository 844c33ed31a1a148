import FarmAPI
import ExportPlan
package import FoundationEssentials

extension MemoryFarmStore {
    package func observe(at now: Date) -> FarmCounts {
        var counts = FarmCounts()
        var lanes: [String: FarmCounts.Lane] = [:]
        for job in jobRows where !job.lifecycle.state.isTerminal {
            let (role, state) = (job.new.kind.role, job.lifecycle.state)
            var lane =
                lanes["\(role) \(job.pool) \(state)"]
                ?? FarmCounts.Lane(role: role, pool: job.pool, state: state, jobs: 0, seconds: 0)
            lane.jobs += 1
            lane.seconds += job.new.weight
            lanes["\(role) \(job.pool) \(state)"] = lane
        }
        counts.lanes = lanes.values.sorted {
            ($0.role.rawValue, $0.pool, $0.state.rawValue) < ($1.role.rawValue, $1.pool, $1.state.rawValue)
        }
        for status in queues(at: now) {
            counts.oldestReady[status.role] = status.oldestReadySince.map { max(0, now.timeIntervalSince($0)) } ?? 0
            if status.isPaused { counts.paused.insert(status.role) }
        }
        counts.servedPools = Set(workerRows.values.flatMap(\.pools))
        counts.deadLetters = deadLetterRows.count
        counts.openExports[.rendering] = 0
        for row in exportRows where !row.export.state.isTerminal { counts.openExports[row.export.state, default: 0] += 1 }
        return counts
    }

    package func assetBytes() -> Int64 { assetRows.reduce(0) { $0 + $1.asset.byteCount } }
}
