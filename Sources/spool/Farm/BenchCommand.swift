import ArgumentParser
import CommandLineInterface
import Coordinator
import FarmAPI
import LocalFarm
import Postgres
import Redis

/// `spool bench`: measures a farm with jobs that do nothing. It runs a farm of its own for that, which leaves nothing
/// behind.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure a farm on this machine with jobs that do nothing.",
        discussion: """
            Starts PostgreSQL, Redis, a coordinator and workers in a temporary directory, stores exports of no-op jobs, \
            lets the farm work through them, and prints jobs a second, processor time by process, and latencies. The \
            farm is then stopped and removed, on Ctrl-C, too. docs/scaling.md explains the numbers.
            """)

    @Option(help: "Jobs of all exports together. The last job of each export is a stitch.")
    var jobs: Int

    @Option(help: "Exports that the jobs are distributed among.")
    var exports: Int

    @Option(help: "Tenants that the exports are distributed among. The first one has a share of 1, the second of 2 ...")
    var tenants: Int

    @Option(help: "Worker processes.")
    var workers = 2

    @Option(help: "Jobs at a time of each worker.")
    var slots = 8

    @Option(help: "Seconds without progress after which the measurement is stopped.")
    var timeout = 60

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        let most = 10_000_000
        guard (1...most).contains(jobs) else { throw ValidationError("--jobs must be 1...\(most), not \(jobs)") }
        guard exports >= 1 else { throw ValidationError("--exports must be at least 1, not \(exports)") }
        guard exports <= jobs else {
            throw ValidationError("--exports must be at most --jobs, which is \(jobs), because each export has a job")
        }
        // One transaction stores all jobs of an export.
        guard jobs <= exports * Benchmark.mostJobsOfExport else {
            throw ValidationError("an export has \(Benchmark.mostJobsOfExport) jobs at most; raise --exports, or lower --jobs")
        }
        guard tenants >= 1, tenants <= Benchmark.mostTenants else {
            throw ValidationError("--tenants must be 1...\(Benchmark.mostTenants), not \(tenants)")
        }
        guard tenants <= exports else {
            throw ValidationError("--tenants must be at most --exports, which is \(exports), because each tenant has an export")
        }
        guard (1...256).contains(workers) else { throw ValidationError("--workers must be 1...256, not \(workers)") }
        guard (1...1024).contains(slots) else { throw ValidationError("--slots must be 1...1024, not \(slots)") }
        guard (1...3600).contains(timeout) else { throw ValidationError("--timeout must be 1...3600, not \(timeout)") }
    }

    func run() async throws {
        let size = BenchmarkReport.Size(jobs: jobs, exports: exports, tenants: tenants, workers: workers, slots: slots)
        let (isJSON, timeout) = (json, timeout)
        try await Interruption.run {
            let report = try await BenchCommand.measure(Benchmark(size, timeout: timeout))
            if isJSON { try Terminal.printJSON(report) } else { Terminal.print(lines: report.lines) }
            if let fault = report.fault {
                throw CommandFailure("the measurement does not count: \(fault)", status: ExitStatus.internalError)
            }
        }
    }

    private static func measure(_ benchmark: Benchmark) async throws -> BenchmarkReport {
        do {
            return try await benchmark.run()
        } catch let error as FarmError {
            throw CommandFailure(error)
        } catch let error as PostgresError {
            throw CommandFailure("the database cannot be used: \(error)", status: ExitStatus.unavailable)
        } catch let error as RedisError {
            throw CommandFailure(error.description, status: ExitStatus.unavailable)
        } catch {
            throw CommandFailure(ofOwnFarm: error) ?? error
        }
    }
}
