import FarmAPI
import ArgumentParser
import ArtifactStore
import CommandLineInterface
import ContentHashing
import Coordinator
import FarmClient
import LocalFarm
import Logging
import Postgres
import Redis
import RenderingProcesses
import FoundationEssentials

/// `spool up`: runs a whole farm on this machine with its own PostgreSQL and Redis. The next start finds its data
/// again.
struct UpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up", abstract: "Run a whole farm on this machine.",
        discussion: "Starts PostgreSQL, Redis, the coordinator and workers, and stops all of them on Ctrl-C.")

    @Option(help: "The directory of all data. Default: $XDG_STATE_HOME/spool.")
    var directory: String?

    @Option(help: "The port that the farm listens on.")
    var port = 7788

    @Option(help: "Worker processes.")
    var workers = 1

    @Option(help: "Jobs at a time of each worker. Default: the machine's processors, shared among the workers.")
    var slots: Int?

    @Option(help: "Directories that sources named by path may lie in, separated by colons.")
    var allow = ""

    func validate() throws {
        guard (1...256).contains(workers) else { throw ValidationError("--workers must be 1...256, not \(workers)") }
        guard (1...65_535).contains(port) else { throw ValidationError("--port must be 1...65535, not \(port)") }
        if let slots, !(1...1024).contains(slots) { throw ValidationError("--slots must be 1...1024, not \(slots)") }
    }

    func run() async throws {
        let place = URL(fileURLWithPath: directory ?? UpCommand.defaultDirectory).standardizedFileURL.path
        try await Interruption.run {
            do {
                try await LocalFarm(self, directory: place).run()
            } catch let error as FarmError {
                throw CommandFailure(error)
            } catch {
                throw CommandFailure(ofOwnFarm: error) ?? error
            }
        }
    }

    private static var defaultDirectory: String {
        let environment = ProcessInfo.processInfo.environment
        if let base = environment["XDG_STATE_HOME"], !base.isEmpty { return base + "/spool" }
        return (environment["HOME"] ?? "/tmp") + "/.local/state/spool"
    }
}

/// The farm of `spool up`: its processes, and the token with which clients use it.
private struct LocalFarm {
    private let command: UpCommand
    private let directory: String
    private let address: String
    private let processes: FarmProcesses

    init(_ command: UpCommand, directory: String) {
        self.command = command
        self.directory = directory
        address = "http://127.0.0.1:\(command.port)"
        // The workers share the machine's processors and memory, of which each would otherwise take all.
        let machine = MachineResources()
        let slots = command.slots ?? max(1, machine.slots / command.workers)
        let memory = machine.memoryForJobs.map {
            ["--machine-memory", "\(max(64, ($0 >> 20) / Int64(command.workers)))"]
        }
        processes = FarmProcesses(
            directory: directory, workers: command.workers, coordinatorWords: ["coordinator", "--port", "\(command.port)"],
            workerWords: ["worker", "--grace", "5", "--slots", "\(slots)"] + (memory ?? []), allow: command.allow,
            remedy: "choose another --directory", supervisor: Supervisor(Logger(label: "up")))
    }

    /// Runs until the task is cancelled, or until a process has ended that is not restarted.
    func run() async throws {
        do {
            try FileManager.default.createDirectory(atPath: directory + "/log", withIntermediateDirectories: true)
        } catch {
            throw LocalServerError("the directory '\(directory)' cannot be created; choose another one with --directory")
        }
        let lock = try DirectoryLock(directory)
        defer { withExtendedLifetime(lock) {} }
        try ListeningPort.check(command.port)
        for line in FarmSettings.unknownVariables(in: ProcessInfo.processInfo.environment) { Terminal.error("warning: \(line)") }
        do {
            try await processes.withServers { postgres, redis in
                let pool = PostgresPool(
                    PostgresConfiguration(postgres.url, applicationName: "spool up"), limit: 2, connectAttempts: 40)
                _ = try await Migrator(pool).migrate()
                let token = try await token(PostgresFarmStore(pool))
                await pool.close()
                try await processes.withFarm(postgres, redis) {
                    try await waitUntilReady(token)
                    processes.supervisor.markFarmAsUp()
                    announce(token)
                    while !Task.isCancelled { try await Task.sleep(for: .seconds(3600)) }
                }
            }
        } catch is CancellationError {
            // This is how the farm is stopped.
        }
    }

    /// The token in `client.env`; a new one is created and stored there when there is none.
    private func token(_ store: PostgresFarmStore) async throws -> String {
        let file = directory + "/client.env"
        let lines = FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
        if let line = lines.split(separator: "\n").first(where: { $0.hasPrefix("SPOOL_TOKEN=") }) {
            let token = String(line.dropFirst("SPOOL_TOKEN=".count))
            if try await store.principal(tokenHash: ContentHash.of(token.utf8)) != nil {
                try write(token, to: file)
                return token
            }
        }
        if try await store.tenants().isEmpty { _ = try await store.createTenant("default", weight: 1) }
        let token = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
        _ = try await store.createToken(
            "spool up", tenant: "default", scopes: Scope.allCases, hash: ContentHash.of(token.utf8))
        try write(token, to: file)
        return token
    }

    private func write(_ token: String, to file: String) throws {
        let text = "SPOOL_SERVER=\(address)\nSPOOL_TOKEN=\(token)\n"
        guard FileManager.default.createFile(atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        else {
            throw LocalServerError("'\(file)' cannot be written")
        }
    }

    private func waitUntilReady(_ token: String) async throws {
        let client = try FarmClient(server: address, token: token)
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                _ = try await client.queues()
                return
            } catch let failure as ClientFailure {
                // Asking again does not install what is missing on this machine.
                if failure.reason == .environment { throw failure }
                guard ContinuousClock.now < deadline else {
                    throw LocalServerError(
                        "the coordinator does not answer: \(failure.message); see \(processes.logFile("coordinator"))")
                }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    private func announce(_ token: String) {
        Terminal.print("the farm is up: \(address)")
        Terminal.print(
            "in another terminal:  set -a; . \(ShellWord.quoted(directory + "/client.env")); set +a; spool submit DRAFT")
    }
}
