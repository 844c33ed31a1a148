import ContentHashing
import Coordinator
import LocalServers
import Postgres
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A whole farm of processes: a database and a Redis of its own, a coordinator, and as many workers as a test wants.
actor TestFarm {
    let directory: TemporaryDirectory
    let redis: RedisServer
    let store: PostgresFarmStore
    private let database: String
    private let port: Int
    private let token: String
    private var running: [String: Task<Void, Never>] = [:]

    init(_ directory: TemporaryDirectory) async throws {
        self.directory = directory
        database = try await PostgresServer.shared().makeDatabase()
        redis = try await RedisServer.start()
        let pool = PostgresPool(PostgresConfiguration(database), limit: 2)
        _ = try await Migrator(pool).migrate()
        store = PostgresFarmStore(pool)
        _ = try await store.createTenant("studio", weight: 1)
        token = String(UInt64.random(in: 0...UInt64.max), radix: 36) + "-token"
        _ = try await store.createToken(
            "test", tenant: "studio", scopes: Scope.allCases, hash: ContentHash.of(token.utf8))
        port = try RedisServer.freePort()
    }

    /// Runs `body` on a farm and stops all of it afterwards.
    static func with(workers: Int, slots: Int = 1, _ body: @Sendable (TestFarm) async throws -> Void) async throws {
        let farm = try await TestFarm(try TemporaryDirectory())
        do {
            try await farm.startCoordinator()
            for number in 1...max(1, workers) where workers > 0 { await farm.startWorker("w\(number)", slots: slots) }
            try await body(farm)
        } catch {
            await farm.printLogs()
            await farm.stop()
            throw error
        }
        await farm.stop()
    }

    // MARK: Processes

    func startCoordinator() async throws {
        start("coordinator", ["coordinator", "--port", "\(port)"], ["SPOOL_DATABASE_URL": database])
        try await eventually("the coordinator answers") { try await self.spool(["queue", "ls"]).status == 0 }
    }

    /// A worker knows Redis and the store, and nothing else.
    func startWorker(_ name: String, slots: Int = 1, roles: String = "video,audio,stitch") {
        start(name, ["worker", "--name", name, "--slots", "\(slots)", "--roles", roles, "--grace", "5"], [:])
    }

    private func start(_ name: String, _ words: [String], _ environment: [String: String]) {
        var environment = environment
        environment["SPOOL_REDIS_URL"] = redis.url
        environment["SPOOL_STORE"] = directory.file("store")
        let process = GuardedProcess(
            SpoolTool.executable, words, environment: environment, logFile: directory.file("\(name).log"))
        running[name] = Task { _ = try? await process.run() }  // the tests look at what it does, not at how it ends
    }

    /// Ends a process in the cleanest way there is.
    func stop(_ name: String) async {
        running[name]?.cancel()
        await running[name]?.value
        running[name] = nil
    }

    /// Ends a process with SIGKILL.
    func kill(_ name: String) async throws {
        let pattern = name == "coordinator" ? "coordinator --port \(port)" : "worker --name \(name) "
        _ = try await ShellTool.run(
            "pkill -KILL -f '^\(SpoolTool.executable) \(pattern)'")
        await running[name]?.value
        running[name] = nil
    }

    private func stop() async {
        for name in running.keys.sorted(by: >) { await stop(name) }
        try? await redis.kill()  // the guardian ends it in any case
    }

    private func printLogs() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [] where name.hasSuffix(".log") {
            let text =
                FileManager.default.contents(atPath: directory.file(name)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            print("--- \(name)\n\(text.suffix(4000))")
        }
    }

    // MARK: The client

    /// The `spool` command as a client of this farm.
    nonisolated func spool(_ arguments: [String], token: String? = nil) async throws -> SpoolTool.Outcome {
        try await ShellTool.run(
            "SPOOL_SERVER=http://127.0.0.1:\(port) SPOOL_TOKEN='\(token ?? self.token)' '\(SpoolTool.executable)' "
                + arguments.map { "'\($0)'" }.joined(separator: " "))
    }

    /// Submits drafts and says their exports' ids.
    nonisolated func submit(_ drafts: [String], _ options: [String] = []) async throws -> [String] {
        let outcome = try await spool(["submit"] + drafts + options)
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "spool submit: \(outcome.errors)") }
        return outcome.output.split(separator: "\n").map(String.init)
    }

    /// Waits until exports have ended, all of them well.
    nonisolated func watch(_ ids: [String]) async throws {
        let outcome = try await spool(["watch"] + ids)
        guard outcome.status == 0 else {
            throw FFmpegTool.Failure(description: "spool watch: \(outcome.output) \(outcome.errors)")
        }
    }

    /// sha256 of an export's film.
    nonisolated func film(_ id: String) async throws -> String {
        let file = directory.file("\(id).mp4")
        let outcome = try await spool(["download", id, "-o", file])
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "spool download: \(outcome.errors)") }
        return try ContentHash.ofFile(file).hash
    }

    /// Waits for something to become true.
    nonisolated func eventually(
        _ what: String, within limit: Duration = .seconds(60), _ isTrue: @Sendable () async throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + limit
        while try await !isTrue() {
            guard ContinuousClock.now < deadline else { throw FFmpegTool.Failure(description: "in vain: \(what)") }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
