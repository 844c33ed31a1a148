import ContentHashing
import LocalServers
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `spool up`, as a user runs it.
@Suite struct LocalFarmTests {
    @Test("one command is a whole farm; stopped it leaves no process, started again it has its data", .timeLimit(.minutes(5)))
    func upAndDown() async throws {
        let drafts = try await SampleDrafts()
        let local = try await drafts.exportLocally(0)
        let farm = try LocalFarm()
        let id = try await farm.whileUp { farm in
            let submitted = try await farm.spool("submit '\(drafts.file(0))' --wait")
            #expect(submitted.status == 0, "\(submitted.errors)")
            return String(submitted.output.prefix { !$0.isNewline })
        }
        #expect(try await farm.processes() == "")
        let film = farm.directory.file("film.mp4")
        try await farm.whileUp { farm in
            #expect(try await farm.spool("status \(id)").output.contains("completed"))
            #expect(try await farm.spool("download \(id) -o '\(film)'").status == 0)
            let doctor = try await farm.spool("doctor")
            #expect(doctor.status == 0, "\(doctor.output)\(doctor.errors)")
        }
        #expect(try await farm.processes() == "")
        #expect(try ContentHash.ofFile(film).hash == local)
    }
}

/// A `spool up` with its data in a temporary directory.
private struct LocalFarm {
    let directory: TemporaryDirectory
    private let port: Int

    init() throws {
        directory = try TemporaryDirectory()
        port = try RedisServer.freePort()
    }

    private var home: String { directory.file("farm") }

    /// Runs `body` while the farm is up, then stops it as Ctrl-C does.
    func whileUp<Result: Sendable>(_ body: (LocalFarm) async throws -> Result) async throws -> Result {
        let log = directory.file("up.log")
        try Data().write(to: URL(fileURLWithPath: log))
        let process = GuardedProcess(
            SpoolTool.executable, ["up", "--directory", home, "--port", "\(port)", "--workers", "2"], stopSignal: "INT",
            logFile: log)
        let running = Task { try await process.run() }  // awaited below
        do {
            _ = try await ShellTool.run("grep -q -m 1 'the farm is up' <(tail -n +1 -F --pid $$ '\(log)' 2> /dev/null)")
            let result = try await body(self)
            running.cancel()
            _ = try await running.value
            return result
        } catch {
            running.cancel()
            _ = try? await running.value  // the first error is the one to tell
            throw error
        }
    }

    /// The `spool` command as a client of this farm.
    func spool(_ words: String) async throws -> SpoolTool.Outcome {
        try await ShellTool.run("set -a; . '\(home)/client.env'; set +a; '\(SpoolTool.executable)' \(words)")
    }

    /// Command lines of everything that belongs to the farm and runs.
    func processes() async throws -> String { try await ShellTool.run("pgrep -a -f '\(home)'").output }
}
