import CommandLineInterface
import ContentHashing
import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import LocalFarm
import Logging
import Postgres
import Redis
import Vocabulary
import FoundationEssentials
import Glibc

/// One measurement of `spool bench`: a farm in a temporary directory, exports of no-op jobs, and what the farm's
/// processes and its database say afterwards.
///
/// Only the beginning differs from a farm at work: no draft is compiled. The exports are stored before the coordinator
/// runs, with their queues paused, because it would compile them otherwise. The queues are opened when all workers take
/// jobs, and from then on everything goes its usual way. What is read from the database is in `BenchmarkQueries.swift`.
struct Benchmark: Sendable {
    /// The greatest share that a tenant can have.
    static let mostTenants = 1000
    static let mostJobsOfExport = 50_000
    /// How many exports are stored at a time.
    private static let writers = 4

    private let size: BenchmarkReport.Size
    /// How many seconds the workers may take to start, and no job may end, before the measurement is stopped.
    private let timeout: Int

    init(_ size: BenchmarkReport.Size, timeout: Int) {
        self.size = size
        self.timeout = timeout
    }

    /// - Throws: `CommandFailure`, `FarmError`, `PostgresError`, `RedisError`, or the errors of `FarmProcesses`.
    func run() async throws -> BenchmarkReport {
        // Workers end without it, although no job of theirs needs it.
        _ = try Renderer.executable()
        let directory = try Benchmark.makeDirectory()
        defer { Benchmark.remove(directory) }
        let processes = FarmProcesses(
            directory: directory, workers: size.workers,
            // The words win over settings in the environment, with which the farm might not do the jobs.
            coordinatorWords: ["coordinator", "--host", "127.0.0.1", "--port", "0"],
            workerWords: [
                "worker", "--grace", "5", "--slots", "\(size.slots)", "--roles",
                WorkerRole.allCases.map(\.rawValue).joined(separator: ","), "--pools", "default",
            ], remedy: "set TMPDIR to another directory", supervisor: Supervisor(Logger(label: "bench")))
        defer { if Terminal.isInteractive { Terminal.clearProgress() } }
        return try await processes.withServers { postgres, redis in
            let pool = PostgresPool(
                PostgresConfiguration(postgres.url, applicationName: "spool bench"), limit: Benchmark.writers,
                connectAttempts: 40)
            do {
                let report = try await measure(pool, processes, postgres, redis)
                await pool.close()
                return report
            } catch {
                await pool.close()
                throw error
            }
        }
    }

    private func measure(
        _ pool: PostgresPool, _ processes: FarmProcesses, _ postgres: LocalPostgres, _ redis: LocalRedis
    ) async throws -> BenchmarkReport {
        let logs: [String: BenchmarkReport.Part] = [
            postgres.process.logFile: .postgres, redis.process.logFile: .redis, processes.logFile("coordinator"): .coordinator,
        ]
        let programs = BenchmarkedPrograms(logs: logs.merging(workerLogs(processes)) { first, _ in first })
        _ = try await Migrator(pool).migrate()
        let store = PostgresFarmStore(pool)
        for role in WorkerRole.allCases { try await store.setPaused(role, true) }
        let storing = try await storing(store, programs)
        let queries = BenchmarkQueries(pool)
        let run = try await processes.withFarm(postgres, redis) {
            show("waiting for the workers", fraction: nil)
            try await untilWorkersTakeJobs(redis, processes)
            processes.supervisor.markFarmAsUp()
            let before = try programs.usage(workers: size.workers)
            let opened = try await queries.now()
            for role in WorkerRole.allCases { try await store.setPaused(role, false) }
            try await untilOver(queries, processes) {
                _ = try programs.usage(workers: size.workers).seconds(since: before)
            }
            let after = try programs.usage(workers: size.workers)
            return Run(opened: opened, processorSeconds: try after.seconds(since: before), memory: after.coordinatorMemory)
        }
        return BenchmarkReport(
            size, try await queries.outcome(), storing: storing, seconds: try await queries.seconds(since: run.opened),
            processorSeconds: run.processorSeconds, submitToFirstStart: try await queries.submitToFirstStart(since: run.opened),
            reportToNextStart: try await queries.reportToNextStart(slots: size.slots), coordinatorPeakMemory: run.memory)
    }

    /// What was measured while the farm worked.
    private struct Run: Sendable {
        /// When the queues were opened, by the database's clock.
        var opened: Date
        var processorSeconds: [BenchmarkReport.Part: Double]
        /// The coordinator's peak memory, in bytes.
        var memory: Int
    }

    private func workerLogs(_ processes: FarmProcesses) -> [String: BenchmarkReport.Part] {
        Dictionary(uniqueKeysWithValues: (1...size.workers).map { (processes.logFile("worker-\($0)"), .workers) })
    }

    // MARK: Storing

    /// Stores the tenants and their exports.
    private func storing(_ store: PostgresFarmStore, _ programs: BenchmarkedPrograms) async throws -> BenchmarkReport.Storing {
        show("storing \(size.exports) exports with \(size.jobs) jobs", fraction: nil)
        var tenants: [Int64] = []
        for number in 1...size.tenants { tenants.append(try await store.createTenant("tenant-\(number)", weight: number).id) }
        let before = try programs.databaseSeconds()
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<Benchmark.writers {
                group.addTask { [tenants] in
                    for place in stride(from: writer, to: size.exports, by: Benchmark.writers) {
                        try await save(place, tenant: tenants[place % tenants.count], store)
                    }
                }
            }
            try await group.waitForAll()
        }
        let end = ContinuousClock.now
        return BenchmarkReport.Storing(
            seconds: start.duration(to: end) / .seconds(1), databaseSeconds: try programs.databaseSeconds() - before)
    }

    /// Stores one export as clients and the leader do: it is accepted, has no sources to probe, and is planned.
    /// - Parameter place: the export's number, from 0.
    private func save(_ place: Int, tenant: Int64, _ store: PostgresFarmStore) async throws {
        let request = ExportRequest(.document(#"{"version": 1, "mainTrackClips": []}"#), label: "bench \(place + 1)")
        let id = try await store.submit(request, id: ExportID(), tenant: tenant, idempotency: nil).export.id
        try await store.startProbing(id, jobs: [])
        // The first exports have the jobs that are left over.
        let count = size.jobs / size.exports + (place < size.jobs % size.exports ? 1 : 0)
        try await store.startRendering(id, Benchmark.plan(of: id, jobs: count))
    }

    /// An export of no-op jobs: segments, and a stitch that waits for them. No two exports share a key.
    private static func plan(of export: ExportID, jobs count: Int) -> PlannedExport {
        func job(_ kind: JobKind, _ ordinal: Int) -> PlannedJob {
            let key = ArtifactKey(ContentHash.of("no-op job \(kind) \(ordinal) of export \(export)".utf8))
            return PlannedJob(kind: kind, ordinal: ordinal, key: key, work: .noOp, frameCount: 1, weight: 1)
        }
        let stitch = job(.stitch, 0)
        return PlannedExport(jobs: (0..<count - 1).map { job(.video, $0) } + [stitch], filmKey: stitch.key, frameCount: count)
    }

    // MARK: Waiting

    /// Waits until every worker has checked its store and takes jobs. By then the coordinator is up, which makes the
    /// store.
    private func untilWorkersTakeJobs(_ redis: LocalRedis, _ processes: FarmProcesses) async throws {
        let queue = RedisJobQueue(RedisClient(try RedisConfiguration(url: redis.url)))
        let deadline = ContinuousClock.now + .seconds(timeout)
        while true {
            do {
                let ready = try await queue.workers().filter { $0.pausedFor == nil }
                if ready.count >= size.workers { return }
            } catch let error as RedisError {
                // The server may still be starting.
                guard ContinuousClock.now < deadline else { throw error }
            }
            guard ContinuousClock.now < deadline else {
                throw stuck("not all workers take jobs after \(timeout) s", processes)
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Waits until every export is over. The database is asked so seldom that this costs it next to nothing.
    /// - Parameter check: called once a second; what it throws ends the measurement.
    private func untilOver(
        _ queries: BenchmarkQueries, _ processes: FarmProcesses, _ check: () throws -> Void
    ) async throws {
        var latest: Date?
        var moved = ContinuousClock.now
        var count = 0
        while try await queries.hasOpenExports() {
            count += 1
            if count % 10 == 0 {
                try check()
                let ended = try await queries.latestEnd()
                if ended != latest { (latest, moved) = (ended, .now) }
                guard moved.duration(to: .now) < .seconds(timeout) else {
                    throw stuck("no job has ended for \(timeout) s", processes)
                }
                if Terminal.isInteractive {
                    let done = size.exports - (try await queries.openExports())
                    show("\(done)/\(size.exports) exports", fraction: Double(done) / Double(size.exports))
                }
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// The failure of a farm that does not work, with the last messages of its processes, because their logs are removed.
    private func stuck(_ what: String, _ processes: FarmProcesses) -> CommandFailure {
        var failure = CommandFailure(
            "\(what); raise --timeout if this machine is only slow", status: ExitStatus.internalError)
        for name in ["coordinator", "worker-1"] {
            // A process that never started has no log.
            let log = FileManager.default.contents(atPath: processes.logFile(name)) ?? Data()
            let lines = String(decoding: log.suffix(100_000), as: UTF8.self).split(separator: "\n").suffix(10)
            if !lines.isEmpty { failure.lines += ["the last messages of \(name):"] + lines.map { "  " + $0 } }
        }
        return failure
    }

    private func show(_ text: String, fraction: Double?) {
        guard Terminal.isInteractive else { return }
        Terminal.show(ProgressLine(fraction: fraction, parts: [.init(text, importance: 0)]))
    }

    // MARK: The directory

    private static func makeDirectory() throws -> String {
        let path = FileManager.default.temporaryDirectory.path + "/spool-bench-\(UUID().uuidString.lowercased())"
        do {
            // The servers may run as another user, who has to enter it.
            try FileManager.default.createDirectory(
                atPath: path + "/log", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        } catch {
            throw LocalServerError("the directory '\(path)' cannot be created; set TMPDIR to another directory")
        }
        return path
    }

    /// Removes the directory with everything in it. A program that was interrupted while it set up the database may
    /// write for a moment longer; the thread waits for it, because nothing else is left to do.
    private static func remove(_ directory: String) {
        var tries = 30
        while true {
            do {
                return try FileManager.default.removeItem(atPath: directory)
            } catch {
                tries -= 1
                guard tries > 0 else { return Terminal.error("warning: '\(directory)' cannot be removed; remove it by hand") }
                usleep(100_000)
            }
        }
    }
}
