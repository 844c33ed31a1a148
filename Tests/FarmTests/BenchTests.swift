import LocalFarm
import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// `spool bench`, as a user runs it. Its temporary directory lies in one of the test, which has to be empty afterwards.
@Suite("'spool bench'", .serialized)
struct BenchTests {
    private let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        // The servers' user has to enter it.
        _ = try await ShellTool.run("chmod 755 '\(directory.path)'")
    }

    private func bench(_ words: String, environment: String = "") async throws -> SpoolTool.Outcome {
        try await ShellTool.run("\(environment) TMPDIR='\(directory.path)' '\(SpoolTool.executable)' bench \(words)")
    }

    /// The command lines of all running processes of the farm.
    private func processes() async throws -> String { try await ShellTool.run("pgrep -a -f '\(directory.path)'").output }

    private func left() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path) }

    @Test("completes all exports, counts right, says the same as text and as JSON, and leaves nothing", .timeLimit(.minutes(5)))
    func measures() async throws {
        // The exports have 11, 11, 10, 10, 10 and 10 jobs.
        let size = "--jobs 62 --exports 6 --tenants 2 --workers 2 --slots 3"
        let outcome = try await bench("\(size) --json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let report = try JSONDecoder().decode(BenchmarkReport.self, from: Data(outcome.output.utf8))
        #expect(report.size == BenchmarkReport.Size(jobs: 62, exports: 6, tenants: 2, workers: 2, slots: 3))
        #expect(report.fault == nil)
        #expect(report.outcome.jobsDone == 62 && report.outcome.exportsCompleted == 6)
        #expect(report.outcome.attemptsSucceeded == 62 && report.outcome.attempts >= 62)
        #expect(report.outcome.completionEvents == 6 && report.outcome.events >= 6)
        expectSums(report)
        for latency in [try #require(report.submitToFirstStart), try #require(report.reportToNextStart)] {
            #expect(latency.p50 >= 0 && latency.p50 <= latency.p99 && latency.p99 <= report.seconds * 1000 + 1)
        }
        #expect(report.coordinatorPeakMemory > 1 << 20)
        #expect(try await processes() == "")
        #expect(try left() == [])

        // Settings in the environment do not reach the farm: with these its workers would take no job.
        let text = try await bench(size, environment: "SPOOL_ROLES=audio SPOOL_POOLS=other SPOOL_SLOTS=1")
        #expect(text.status == 0, "\(text.errors)")
        let lines = text.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        #expect(lines.count == report.lines.count)
        for (said, expected) in zip(lines, report.lines) { #expect(first(said) == first(expected)) }
        #expect(lines.dropFirst().first.map { words($0).prefix(5) } == ["62", "6", "2", "2", "3"])
        #expect(try await processes() == "")
        #expect(try left() == [])
    }

    /// Sums and rates agree with what they are made of, as far as rounding allows.
    private func expectSums(_ report: BenchmarkReport) {
        func seconds(_ name: String) -> Double { report.processorTime.first { $0.process == name }?.seconds ?? -1 }
        let control = seconds("coordinator") + seconds("postgres") + seconds("redis")
        #expect(control > 0)
        #expect(abs(seconds("control plane") - control) < 0.03)
        #expect(abs(seconds("all") - control - seconds("workers")) < 0.03)
        for time in report.processorTime {
            #expect(abs(time.millisecondsPerJob * 62 - time.seconds * 1000) < 6)
            #expect(abs(time.millisecondsPerExport * 6 - time.seconds * 1000) < 6)
        }
        #expect(abs(report.jobsPerSecond - 62 / report.seconds) < 0.1 + report.jobsPerSecond / 100)
        #expect(abs(report.exportsPerSecond - 6 / report.seconds) < 0.1 + report.exportsPerSecond / 100)
    }

    private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

    private func first(_ line: String) -> String? { words(line).first }

    @Test(
        "removes its farm when it is interrupted", .timeLimit(.minutes(3)),
        arguments: ["postgres/password", "postgres/data/PG_VERSION", "log/coordinator.log"])
    func interrupted(_ file: String) async throws {
        let outcome = try await ShellTool.run(
            """
            TMPDIR='\(directory.path)' '\(SpoolTool.executable)' bench --jobs 20000 --exports 20 --tenants 2 & bench=$!
            until ls '\(directory.path)'/*/\(file) 2> /dev/null | grep -q .; do
              kill -0 $bench || exit 99
              read -t 0.05 < <(:) || true
            done
            kill -INT $bench
            wait $bench
            """)
        #expect(outcome.status == 130, "\(outcome.errors)")
        #expect(outcome.output == "")
        #expect(outcome.errors.hasSuffix("stopped\n"), "\(outcome.errors)")
        #expect(try await processes() == "")
        #expect(try left() == [])
    }

    @Test("does not count a measurement during which a process ended", .timeLimit(.minutes(3)))
    func killed() async throws {
        // The queues are opened when the measurement begins, so the first attempt says that it has begun.
        let outcome = try await ShellTool.run(
            """
            TMPDIR='\(directory.path)' '\(SpoolTool.executable)' bench --jobs 50000 --exports 50 --tenants 1 & bench=$!
            attempts() {
              guard=$(pgrep -f '[g]uard .*\(directory.path)/.*/log/coordinator.log') && coordinator=$(pgrep -P $guard) || return 1
              url=$(tr '\\0' '\n' < /proc/$coordinator/environ | sed -n 's/^SPOOL_DATABASE_URL=//p')
              [ "$(psql -qtAX "$url" -c 'SELECT EXISTS (SELECT FROM attempts)' 2> /dev/null)" = t ]
            }
            until attempts; do kill -0 $bench || break; done
            pkill -KILL -P $guard
            wait $bench
            """)
        #expect(outcome.status == 70, "\(outcome.errors)")
        #expect(outcome.output == "")
        #expect(outcome.errors.contains("the measurement does not count: a process of 'coordinator' "), "\(outcome.errors)")
        #expect(try await processes() == "")
        #expect(try left() == [])
    }

    @Test("stops when no worker takes jobs, with the workers' last messages", .timeLimit(.minutes(2)))
    func idleWorkers() async throws {
        // The programs lie in a folder of their own, and the coordinator, which makes the store, does nothing there.
        let outcome = try await ShellTool.run(
            """
            mkdir '\(directory.path)/bin' '\(directory.path)/tmp' && cd '\(directory.path)/bin'
            for name in spool spool-render; do
              program="$(dirname '\(SpoolTool.executable)')/$name"
              cp --link "$program" $name || cp "$program" $name
            done 2> /dev/null
            printf '#!/bin/sh\nexec sleep 1000\n' > spool-coordinator && chmod +x spool-coordinator
            TMPDIR='\(directory.path)/tmp' ./spool bench --jobs 1 --exports 1 --tenants 1 --timeout 15
            """)
        #expect(outcome.status == 70)
        let lines = outcome.errors.split(separator: "\n").map(String.init)
        #expect(
            lines.contains("error: not all workers take jobs after 15 s; raise --timeout if this machine is only slow"),
            "\(outcome.errors)")
        #expect(lines.contains("the last messages of worker-1:"), "\(outcome.errors)")
        #expect(try await processes() == "")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("tmp")) == [])
    }

    @Test("stops when no job ends any more, with the coordinator's last messages", .timeLimit(.minutes(3)))
    func stoppedCoordinator() async throws {
        let outcome = try await ShellTool.run(
            """
            TMPDIR='\(directory.path)' '\(SpoolTool.executable)' bench --jobs 50000 --exports 50 --tenants 1 --timeout 20 & bench=$!
            attempts() {
              guard=$(pgrep -f '[g]uard .*\(directory.path)/.*/log/coordinator.log') && coordinator=$(pgrep -P $guard) || return 1
              url=$(tr '\\0' '\n' < /proc/$coordinator/environ | sed -n 's/^SPOOL_DATABASE_URL=//p')
              [ "$(psql -qtAX "$url" -c 'SELECT EXISTS (SELECT FROM attempts)' 2> /dev/null)" = t ]
            }
            until attempts; do kill -0 $bench || break; done
            kill -STOP $coordinator
            # The workers are stopped first, and then the coordinator has to be able to end.
            timeout 150 tail --pid=$(pgrep -f '[g]uard .*\(directory.path)/.*/log/worker-1.log') -f /dev/null
            kill -CONT $coordinator
            wait $bench
            """)
        #expect(outcome.status == 70)
        let lines = outcome.errors.split(separator: "\n").map(String.init)
        #expect(
            lines.contains("error: no job has ended for 20 s; raise --timeout if this machine is only slow"),
            "\(outcome.errors)")
        #expect(lines.contains("the last messages of coordinator:"), "\(outcome.errors)")
        #expect(try await processes() == "")
        #expect(try left() == [])
    }

    @Test("names a directory that it cannot remove", .timeLimit(.minutes(3)))
    func heldDirectory() async throws {
        guard geteuid() == 0, try await ShellTool.run("unshare -m true").status == 0 else {
            return print("not tested: only root can mount a disk in the directory")
        }
        let script = directory.file("script")
        try Data(
            """
            cd '\(directory.path)'
            TMPDIR='\(directory.path)' '\(SpoolTool.executable)' bench --jobs 1 --exports 1 --tenants 1 & bench=$!
            until [ -d spool-bench-*/log ]; do kill -0 $bench || exit 99; read -t 0.05 < <(:) || true; done
            held=$(echo spool-bench-*)/held
            mkdir $held && mount -t tmpfs tmpfs $held
            wait $bench
            """.utf8
        ).write(to: URL(fileURLWithPath: script))
        let outcome = try await ShellTool.run("unshare -m bash '\(script)'")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let name = try #require(try left().first { $0.hasPrefix("spool-bench-") })
        #expect(
            outcome.errors == "warning: '\(directory.path)/\(name)' cannot be removed; remove it by hand\n", "\(outcome.errors)")
    }

    @Test("says why its farm does not start", .timeLimit(.minutes(1)))
    func closedDirectory() async throws {
        let outcome = try await ShellTool.run(
            "TMPDIR=/proc '\(SpoolTool.executable)' bench --jobs 1 --exports 1 --tenants 1")
        #expect(outcome.status == 69)
        #expect(outcome.errors.hasPrefix("error: the directory '/proc/spool-bench-"), "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix("cannot be created; set TMPDIR to another directory\n"), "\(outcome.errors)")
    }

    @Test(
        "refuses sizes that make no sense",
        arguments: [
            ("--jobs 5 --exports 6 --tenants 1", "--exports must be at most --jobs, which is 5, because each export has a job"),
            (
                "--jobs 6 --exports 5 --tenants 6",
                "--tenants must be at most --exports, which is 5, because each tenant has an export"
            ),
            ("--jobs 0 --exports 1 --tenants 1", "--jobs must be 1...10000000, not 0"),
            ("--jobs 1 --exports 0 --tenants 1", "--exports must be at least 1, not 0"),
            ("--jobs 1 --exports 1 --tenants 0", "--tenants must be 1...1000, not 0"),
            ("--jobs 2000 --exports 2000 --tenants 1001", "--tenants must be 1...1000, not 1001"),
            ("--jobs 60000 --exports 1 --tenants 1", "an export has 50000 jobs at most; raise --exports, or lower --jobs"),
            ("--jobs 1 --exports 1 --tenants 1 --workers 0", "--workers must be 1...256, not 0"),
            ("--jobs 1 --exports 1 --tenants 1 --slots 1025", "--slots must be 1...1024, not 1025"),
            ("--jobs 1 --exports 1 --tenants 1 --timeout 0", "--timeout must be 1...3600, not 0"),
            ("--jobs 1 --exports 1", "--tenants"),
        ])
    func refused(_ words: String, _ message: String) async throws {
        let outcome = try await bench(words)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(try left() == [])
    }
}
