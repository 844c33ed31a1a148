import Vocabulary
import Glibc

/// What `spool bench` has measured. The JSON that it prints is this value, and its text is `lines`, so that both say
/// the same. `docs/scaling.md` explains the numbers.
package struct BenchmarkReport: Hashable, Sendable, Codable {
    /// What was asked for.
    package struct Size: Hashable, Sendable, Codable {
        package var jobs: Int
        package var exports: Int
        package var tenants: Int
        package var workers: Int
        /// Jobs at a time of each worker.
        package var slots: Int

        package init(jobs: Int, exports: Int, tenants: Int, workers: Int, slots: Int) {
            self.jobs = jobs
            self.exports = exports
            self.tenants = tenants
            self.workers = workers
            self.slots = slots
        }
    }

    /// What the database holds at the end.
    package struct Outcome: Hashable, Sendable, Codable {
        package var exportsCompleted: Int
        package var jobsDone: Int
        package var attempts: Int
        package var attemptsSucceeded: Int
        /// Events that say that an export has completed.
        package var completionEvents: Int
        package var events: Int

        package init(
            exportsCompleted: Int, jobsDone: Int, attempts: Int, attemptsSucceeded: Int, completionEvents: Int, events: Int
        ) {
            self.exportsCompleted = exportsCompleted
            self.jobsDone = jobsDone
            self.attempts = attempts
            self.attemptsSucceeded = attemptsSucceeded
            self.completionEvents = completionEvents
            self.events = events
        }
    }

    /// Processor time of a part of the farm.
    package struct ProcessorTime: Hashable, Sendable, Codable {
        package var process: String
        package var seconds: Double
        package var millisecondsPerJob: Double
        package var millisecondsPerExport: Double

        fileprivate init(_ process: String, _ seconds: Double, _ size: Size) {
            self.process = process
            self.seconds = rounded(seconds, 2)
            millisecondsPerJob = rounded(seconds * 1000 / Double(max(1, size.jobs)), 3)
            millisecondsPerExport = rounded(seconds * 1000 / Double(max(1, size.exports)), 2)
        }
    }

    /// Waiting times in milliseconds: the median, and the time that 99 of 100 stay below.
    package struct Latency: Hashable, Sendable, Codable {
        package var p50: Double
        package var p99: Double

        package init(p50: Double, p99: Double) {
            self.p50 = rounded(p50, 1)
            self.p99 = rounded(p99, 1)
        }
    }

    /// How long storing all exports took, before the farm began to work.
    package struct Storing: Hashable, Sendable, Codable {
        package var seconds: Double
        /// Processor time of PostgreSQL.
        package var databaseSeconds: Double

        package init(seconds: Double, databaseSeconds: Double) {
            self.seconds = rounded(seconds, 2)
            self.databaseSeconds = rounded(databaseSeconds, 2)
        }
    }

    /// The parts of a farm whose processor time is measured. The first three are the control plane.
    package enum Part: String, CaseIterable, Hashable, Sendable {
        case coordinator, postgres, redis, workers

        package var isOfControlPlane: Bool { self != .workers }
    }

    package var size: Size
    package var outcome: Outcome
    package var storing: Storing
    /// From the moment at which the queues were opened until the end of the last export.
    package var seconds: Double
    package var jobsPerSecond: Double
    package var exportsPerSecond: Double
    /// One entry for each part, then their sums `control plane` and `all`.
    package var processorTime: [ProcessorTime]
    /// From the moment at which an export could begin until its first job started; nil where none did.
    package var submitToFirstStart: Latency?
    /// From a report that freed a slot until the next job started in it; nil where each slot had one job at most.
    package var reportToNextStart: Latency?
    /// The most memory that the coordinator has had resident, in bytes.
    package var coordinatorPeakMemory: Int

    /// - Parameters:
    ///   - seconds: wall time, above zero.
    ///   - processorSeconds: by part; a part that is missing has used none.
    package init(
        _ size: Size, _ outcome: Outcome, storing: Storing, seconds: Double, processorSeconds: [Part: Double],
        submitToFirstStart: Latency?, reportToNextStart: Latency?, coordinatorPeakMemory: Int
    ) {
        self.size = size
        self.outcome = outcome
        self.storing = storing
        self.seconds = rounded(seconds, 3)
        jobsPerSecond = rounded(Double(outcome.jobsDone) / max(seconds, 0.001), 1)
        exportsPerSecond = rounded(Double(outcome.exportsCompleted) / max(seconds, 0.001), 1)
        func sum(_ parts: [Part]) -> Double { parts.reduce(0) { $0 + processorSeconds[$1, default: 0] } }
        processorTime =
            Part.allCases.map { ProcessorTime($0.rawValue, sum([$0]), size) } + [
                ProcessorTime("control plane", sum(Part.allCases.filter(\.isOfControlPlane)), size),
                ProcessorTime("all", sum(Part.allCases), size),
            ]
        self.submitToFirstStart = submitToFirstStart
        self.reportToNextStart = reportToNextStart
        self.coordinatorPeakMemory = coordinatorPeakMemory
    }

    /// Why the measurement does not count; nil where every job and every export ended as it should, once.
    package var fault: String? {
        if outcome.exportsCompleted != size.exports {
            return "\(size.exports - outcome.exportsCompleted) of \(size.exports) exports did not complete"
        }
        if outcome.jobsDone != size.jobs { return "\(outcome.jobsDone) of \(size.jobs) jobs are done" }
        if outcome.attemptsSucceeded != size.jobs {
            return "\(size.jobs) jobs have \(outcome.attemptsSucceeded) attempts that succeeded"
        }
        if outcome.completionEvents != size.exports {
            return "\(size.exports) exports have \(outcome.completionEvents) events of completion"
        }
        return nil
    }

    /// The report as text.
    package var lines: [String] {
        func phrase(_ latency: Latency?) -> [String] { latency.map { ["\($0.p50)", "\($0.p99)"] } ?? ["-", "-"] }
        let counts = TextTable(
            ["JOBS", "EXPORTS", "TENANTS", "WORKERS", "SLOTS", "ATTEMPTS", "EVENTS", "SECONDS", "JOBS/S", "EXPORTS/S"],
            [
                [
                    "\(outcome.jobsDone)", "\(outcome.exportsCompleted)", "\(size.tenants)", "\(size.workers)", "\(size.slots)",
                    "\(outcome.attempts)", "\(outcome.events)", "\(seconds)", "\(jobsPerSecond)", "\(exportsPerSecond)",
                ]
            ])
        let times = TextTable(
            ["PROCESSOR TIME", "SECONDS", "MS/JOB", "MS/EXPORT"],
            processorTime.map {
                [$0.process, "\($0.seconds)", "\($0.millisecondsPerJob)", "\($0.millisecondsPerExport)"]
            })
        let latencies = TextTable(
            ["LATENCY", "P50 MS", "P99 MS"],
            [
                ["submit to first start"] + phrase(submitToFirstStart), ["report to next start"] + phrase(reportToNextStart),
            ])
        return counts.lines + [""] + times.lines + [""] + latencies.lines + [
            "",
            "stored in \(storing.seconds) s, with \(storing.databaseSeconds) s of processor time of PostgreSQL",
            "peak memory of the coordinator: \(rounded(Double(coordinatorPeakMemory) / 1e6, 1)) MB",
        ]
    }
}

/// A number with at most so many digits after the point.
private func rounded(_ number: Double, _ digits: Int) -> Double {
    let factor = pow(10, Double(digits))
    return (number * factor).rounded() / factor
}
