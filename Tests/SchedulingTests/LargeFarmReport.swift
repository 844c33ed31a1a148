import FoundationEssentials
import Glibc

/// What a simulated farm did.
struct LargeFarmReport {
    var slots = 0
    /// Jobs that were ready at the beginning.
    var queued = 0
    var bytesPerJob = 0.0
    var decisions = 0
    var crashes = 0
    /// Events that the scheduler did not understand, and jobs without a worker.
    var refused = 0
    var unfinished = 0
    /// How often a worker began a job whose source it had not read before.
    var sourcesRead = 0
    var steps = 0
    /// Processor time spent in the scheduler, in seconds.
    var scheduling = 0.0
    /// Seconds from the submission of an urgent export to the start of its first segment.
    var urgentWaits: [Double] = []

    private var busy = 0.0
    private var workTime = 0.0
    private var waits: [Int: [Double]] = [:]
    /// Slot-seconds by minute and tenant.
    private var service: [[Double]] = []
    /// When the first tenant had nothing left to dispatch.
    private var backlogEnd: Double?

    mutating func add(running: Int, since start: Double, until end: Double, hasBacklog: Bool) {
        guard hasBacklog else { return }
        busy += Double(running) * (end - start)
        workTime += end - start
    }

    mutating func waited(_ time: Double, priority: Int) { waits[priority, default: []].append(time) }

    mutating func noteBacklogEnd(at time: Double) { backlogEnd = backlogEnd ?? time }

    mutating func served(_ tenant: Int, from start: Double, to end: Double) {
        var time = start
        while time < end {
            let minute = Int(time / 60)
            while service.count <= minute { service.append(Array(repeating: 0, count: LargeFarm.tenants.count)) }
            let until = min(end, Double(minute + 1) * 60)
            service[minute][tenant] += until - time
            time = until
        }
    }

    /// The part of the slots that was busy while jobs waited.
    var utilisation: Double { busy / max(1, workTime * Double(slots)) }

    /// For each whole minute in which all tenants had a backlog, the largest difference between what a tenant got and
    /// its part by its share, as a part of all that was rendered in this minute.
    var fairnessErrors: [Double] {
        let shares = LargeFarm.tenants.map { Double($0.share) }
        return minutesOfBacklog.map { minute in
            let all = minute.reduce(0, +)
            return zip(minute, shares).map { abs($0 / all - $1 / shares.reduce(0, +)) }.max() ?? 0
        }
    }

    /// The same, as a part of what the tenant should have got.
    var relativeFairnessErrors: [Double] {
        let shares = LargeFarm.tenants.map { Double($0.share) }
        return minutesOfBacklog.map { minute in
            let all = minute.reduce(0, +)
            return zip(minute, shares).map { abs($0 / all / ($1 / shares.reduce(0, +)) - 1) }.max() ?? 0
        }
    }

    private var minutesOfBacklog: ArraySlice<[Double]> { service.prefix(Int((backlogEnd ?? 0) / 60)) }

    static func percentile(_ values: [Double], _ part: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        return values.sorted()[min(values.count - 1, Int(Double(values.count) * part))]
    }

    /// Processor time of this thread, in seconds.
    static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// Memory that this process has in use now.
    static var residentBytes: Int {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)  // Without it no number is printed.
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }

    var text: String {
        let errors = fairnessErrors
        let relative = relativeFairnessErrors
        func percent(_ value: Double) -> String { "\((value * 10000).rounded() / 100) %" }
        func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
        var lines = [
            "\(slots) slots, \(queued) jobs queued at the beginning (\(rounded(bytesPerJob)) bytes each, with the simulator's own), \(crashes) crashes",
            "utilisation while jobs wait: \(percent(utilisation)) over \(rounded(workTime)) s",
            "fairness error by minute, of the farm: mean \(percent(errors.reduce(0, +) / Double(max(1, errors.count)))), largest \(percent(errors.max() ?? 0)) in \(errors.count) minutes, \(errors.count { $0 >= 0.05 }) of them at 5 % or more",
            "fairness error by minute, of a tenant's own part: largest \(percent(relative.max() ?? 0))",
            "urgent exports: \(urgentWaits.count), first segment after \(rounded(LargeFarmReport.percentile(urgentWaits, 0.5))) s (p50), \(rounded(LargeFarmReport.percentile(urgentWaits, 0.99))) s (p99)",
            "decisions: \(decisions) in \(rounded(scheduling)) s of processor time of the scheduler, \(Int(Double(decisions) / max(scheduling, 1e-9))) a second, \(steps / max(1, decisions)) steps each",
        ]
        lines.append("sources read by a worker for the first time: \(sourcesRead)")
        for (priority, values) in waits.sorted(by: { $0.key > $1.key }) {
            lines.append(
                "waiting time at priority \(priority): \(rounded(LargeFarmReport.percentile(values, 0.5))) s (p50), \(rounded(LargeFarmReport.percentile(values, 0.99))) s (p99), \(values.count) jobs"
            )
        }
        return lines.joined(separator: "\n")
    }
}
