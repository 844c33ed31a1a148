import FarmAPI
import ContentHashing
import Coordinator
import LocalFarm
import Postgres
import S3Store
import TestSupport
import Testing
import FoundationEssentials

/// A whole farm of processes: its own database and Redis, a coordinator, and the given number of workers.
actor TestFarm {
    let directory: TemporaryDirectory
    let redis: RedisServer
    let store: PostgresFarmStore
    nonisolated let database: String
    /// The ports of the coordinators: the first one leads, the second follows in tests that start it.
    private let ports: [Int]
    private let token: String
    /// The directories that may contain sources named by path, separated by colons.
    private let allow: String
    /// The farm's store where it is a bucket; nil for a directory. Each process then has a machine of its own, as far as files
    /// go: it has its own copies.
    private let bucket: S3Blobs?
    /// Further settings of all processes, by their names in the environment.
    private let settings: [String: String]
    private let keys: S3Credentials?
    /// The tasks of the running processes, which return the exit codes.
    private var running: [String: Task<Int32?, Never>] = [:]

    init(
        _ directory: TemporaryDirectory, _ server: PostgresServer, allow: String = "", bucket: S3Blobs? = nil,
        settings: [String: String] = [:]
    ) async throws {
        self.settings = settings
        self.directory = directory
        self.allow = allow
        self.bucket = bucket
        keys = bucket == nil ? nil : try await MotoServer.shared().credentials
        database = try await server.makeDatabase()
        redis = try await RedisServer.start()
        let pool = PostgresPool(PostgresConfiguration(database), limit: 2)
        _ = try await Migrator(pool).migrate()
        try await TestFarm.announceChanges(pool)
        store = PostgresFarmStore(pool)
        _ = try await store.createTenant("studio", weight: 1)
        token = String(UInt64.random(in: 0...UInt64.max), radix: 36) + "-token"
        _ = try await store.createToken(
            "test", tenant: "studio", scopes: Scope.allCases, hash: ContentHash.of(token.utf8))
        ports = try (0..<2).map { _ in try RedisServer.freePort() }
    }

    /// Runs `body` on a farm and stops all of it afterwards.
    /// - Parameters:
    ///   - postgres: the database server; nil for the one that all tests share.
    ///   - allow: the directories that may contain sources named by path, separated by colons.
    ///   - bucket: a bucket of `MotoServer`; nil for a store in a directory.
    ///   - settings: further settings of all processes, by their names in the environment.
    static func with(
        workers: Int, slots: Int = 1, postgres: PostgresServer? = nil, allow: String = "", bucket: S3Blobs? = nil,
        settings: [String: String] = [:],
        _ body: @Sendable (TestFarm) async throws -> Void
    ) async throws {
        var server = postgres
        if server == nil { server = try await PostgresServer.shared() }
        let farm = try await TestFarm(
            try TemporaryDirectory(), try #require(server), allow: allow, bucket: bucket, settings: settings)
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

    /// - Parameters:
    ///   - number: 0 for the first coordinator, or 1 for a second one.
    ///   - environment: further settings.
    func startCoordinator(_ number: Int = 0, environment: [String: String] = [:]) async throws {
        let settings = environment.merging(["SPOOL_DATABASE_URL": database]) { $1 }
        start("coordinator\(number)", ["coordinator", "--port", "\(ports[number])"], settings)
        // The client retries by itself for a while.
        var answer = try await spool(["queue", "ls"], coordinator: number)
        for _ in 0..<20 where answer.status == 69 { answer = try await spool(["queue", "ls"], coordinator: number) }
        guard answer.status == 0 else {
            throw FFmpegTool.Failure(description: "the coordinator does not answer: \(answer.errors)")
        }
    }

    /// A connection of the test's own to the farm's database.
    nonisolated func connection() async throws -> PostgresConnection {
        try await PostgresConnection.connect(PostgresConfiguration(database))
    }

    /// The outcome of a second coordinator on the port of the first.
    /// - Parameter options: further options of its command line.
    func coordinatorOnTakenPort(_ options: String = "") async throws -> SpoolTool.Outcome {
        try await ShellTool.run(
            "SPOOL_DATABASE_URL='\(database)' SPOOL_REDIS_URL='\(redis.url)' SPOOL_STORE='\(directory.file("store"))' "
                + "timeout 60 '\(SpoolTool.executable)' coordinator --port \(ports[0]) \(options)")
    }

    /// Starts a worker, which knows only Redis and the store.
    /// - Parameters:
    ///   - grace: the seconds that its jobs have to end when it drains.
    ///   - environment: further settings; with a token the worker has no keys of the bucket, and uses the coordinator's store.
    func startWorker(
        _ name: String, slots: Int = 1, pools: String = "default", grace: Int = 5, environment: [String: String] = [:]
    ) {
        start(name, ["worker", "--name", name, "--slots", "\(slots)", "--tags", pools, "--grace", "\(grace)"], environment)
    }

    private func start(_ name: String, _ words: [String], _ environment: [String: String]) {
        var environment = settings.merging(environment) { $1 }
        environment["SPOOL_REDIS_URL"] = redis.url
        environment["SPOOL_STORE"] = directory.file("store")
        environment["SPOOL_ALLOW"] = allow
        if let bucket, let keys {
            environment["SPOOL_STORE_CACHE"] = cache(of: name)
            if environment["SPOOL_TOKEN"] != nil {
                environment["SPOOL_STORE"] = address
            } else {
                environment["SPOOL_STORE"] = bucket.settings.description
                environment["SPOOL_STORE_ENDPOINT"] = bucket.settings.endpoint
                environment["AWS_ACCESS_KEY_ID"] = keys.accessKey
                environment["AWS_SECRET_ACCESS_KEY"] = keys.secretKey
            }
        }
        let process = GuardedProcess(
            SpoolTool.executable, words, guardian: SpoolTool.executable, environment: environment,
            logFile: directory.file("\(name).log"))
        running[name] = Task { try? await process.run() }  // nil when it could not run; the test then fails without it
    }

    /// The address of the first coordinator.
    nonisolated var address: String { "http://127.0.0.1:\(ports[0])" }

    /// A new token with one scope.
    nonisolated func makeToken(_ scope: Scope) async throws -> String {
        let secret = String(UInt64.random(in: 0...UInt64.max), radix: 36) + "-token"
        _ = try await store.createToken("test", tenant: "studio", scopes: [scope], hash: ContentHash.of(secret.utf8))
        return secret
    }

    /// The directory with a process's copies of a bucket's files.
    nonisolated func cache(of name: String) -> String { directory.file("cache-\(name)") }

    /// Stops a process cleanly.
    func stop(_ name: String) async {
        running[name]?.cancel()
        _ = await running[name]?.value
        running[name] = nil
    }

    /// Sends a signal to a process.
    nonisolated func signal(_ signal: String, _ name: String) async throws {
        // A coordinator is known by the program that it has become, which is started by its real path.
        let pattern =
            switch name {
            case "coordinator0": "^$(readlink -f '\(SpoolTool.executable)')-coordinator --port \(ports[0])"
            case "coordinator1": "^$(readlink -f '\(SpoolTool.executable)')-coordinator --port \(ports[1])"
            default: "^\(SpoolTool.executable) worker --name \(name) "
            }
        _ = try await ShellTool.run("pkill -\(signal) -f \"\(pattern)\"")
    }

    /// Ends a process with SIGKILL.
    func kill(_ name: String) async throws {
        try await signal("KILL", name)
        _ = await running[name]?.value
        running[name] = nil
    }

    /// Lets a worker drain.
    /// - Returns: its exit code.
    func drain(_ name: String) async throws -> Int32? {
        _ = try await ShellTool.run("pkill -TERM -f '^\(SpoolTool.executable) worker --name \(name) '")
        defer { running[name] = nil }
        return await running[name]?.value ?? nil
    }

    /// Waits until a process has ended.
    /// - Returns: its exit code.
    func untilEnded(_ name: String) async -> Int32? {
        defer { running[name] = nil }
        return await running[name]?.value ?? nil
    }

    private func stop() async {
        for name in running.keys.sorted(by: >) { await stop(name) }
        try? await redis.kill()  // its guard ends it in any case
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
    nonisolated func spool(
        _ arguments: [String], token: String? = nil, coordinator: Int = 0
    ) async throws -> SpoolTool.Outcome {
        try await ShellTool.run(
            client(token: token, coordinator: coordinator) + " " + arguments.map { "'\($0)'" }.joined(separator: " "))
    }

    /// The beginning of a shell command that calls `spool` as a client of the farm.
    nonisolated func client(token: String? = nil, coordinator: Int = 0) -> String {
        "SPOOL_SERVER=http://127.0.0.1:\(ports[coordinator]) SPOOL_TOKEN='\(token ?? self.token)' '\(SpoolTool.executable)'"
    }

    /// Submits drafts and returns the ids of their exports.
    nonisolated func submit(_ drafts: [String], _ options: [String] = []) async throws -> [String] {
        let outcome = try await spool(["submit"] + drafts + options)
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "spool submit: \(outcome.errors)") }
        return outcome.output.split(separator: "\n").map(String.init)
    }

    /// Submits a draft without uploading its sources, which are read in place.
    /// - Returns: the id of its export.
    nonisolated func post(_ document: String, settings: [String: String] = [:]) async throws -> String {
        let script = """
            import json, sys, urllib.request
            server, token, document, settings = sys.argv[1:]
            body = {"document": json.loads(document), "settings": json.loads(settings)}
            request = urllib.request.Request(
                server + "/v1/exports", json.dumps(body).encode(),
                {"Authorization": "Bearer " + token, "Content-Type": "application/json"})
            print(json.load(urllib.request.urlopen(request))["id"], end="")
            """
        let words = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
        return try await PythonTool.run(script, ["http://127.0.0.1:\(ports[0])", token, document, words])
    }

    /// Waits until all exports have completed.
    nonisolated func watch(_ ids: [String], coordinator: Int = 0) async throws {
        let outcome = try await spool(["watch"] + ids, coordinator: coordinator)
        guard outcome.status == 0 else {
            throw FFmpegTool.Failure(description: "spool watch: \(outcome.output) \(outcome.errors)")
        }
    }

    /// The status code with which the coordinator answers `/readyz`.
    nonisolated func readiness() async throws -> String {
        let script = """
            import http.client, sys
            connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
            connection.request("GET", "/readyz")
            print(connection.getresponse().status, end="")
            """
        return try await PythonTool.run(script, ["\(ports[0])"])
    }

    /// The status and the text of the coordinator's answer to a GET.
    /// - Parameter token: nil for the farm's own token.
    nonisolated func get(_ path: String, token: String? = nil) async throws -> (status: Int, text: String) {
        let script = """
            import http.client, sys
            port, path, token = sys.argv[1:]
            connection = http.client.HTTPConnection("127.0.0.1", int(port))
            connection.request("GET", path, headers={"Authorization": "Bearer " + token})
            answer = connection.getresponse()
            print(answer.status, answer.read().decode(), end="")
            """
        let answer = try await PythonTool.run(script, ["\(ports[0])", path, token ?? self.token])
        let parts = answer.split(separator: " ", maxSplits: 1)
        return (Int(parts.first ?? "") ?? 0, parts.count > 1 ? String(parts[1]) : "")
    }

    /// What a process of the farm has logged so far.
    nonisolated func log(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: directory.file("\(name).log"))), as: UTF8.self)
    }

    /// Waits until a process has logged a line with this text.
    nonisolated func untilLogged(_ text: String, by name: String) async throws {
        let log = directory.file("\(name).log")
        _ = try await ShellTool.run("grep -q -m 1 '\(text)' <(tail -n +1 -F '\(log)' 2> /dev/null)")
    }

    /// The sha256 of an export's film.
    nonisolated func film(_ id: String, coordinator: Int = 0) async throws -> String {
        let file = directory.file("\(id).mp4")
        let outcome = try await spool(["download", id, "-o", file], coordinator: coordinator)
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "spool download: \(outcome.errors)") }
        return try ContentHash.ofFile(file).hash
    }

    // MARK: Waiting

    private static let changes = "test_changes"

    /// Makes the database notify listeners when jobs or exports change.
    private static func announceChanges(_ pool: PostgresPool) async throws {
        try await pool.execute(
            """
            CREATE FUNCTION tell_test() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_notify('\(changes)', ''); RETURN NULL; END $$
            """)
        for table in ["jobs", "exports"] {
            try await pool.execute(
                """
                CREATE TRIGGER tell_test AFTER INSERT OR UPDATE ON \(table) FOR EACH STATEMENT EXECUTE FUNCTION tell_test()
                """)
        }
    }

    /// Waits until a condition is true. It is checked now and whenever a job or an export has changed.
    /// - Throws: `FFmpegTool.Failure` when it is not true after three minutes. Where a farm is done before a test looks,
    ///   nothing changes any more, and waiting would last for as long as the test may.
    nonisolated func eventually(_ isTrue: @escaping @Sendable () async throws -> Bool) async throws {
        let listener = PostgresListener(PostgresConfiguration(database), channels: [TestFarm.changes])
        // Several changes during one check cause one more check.
        let (calls, call) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listener.run() }
            group.addTask {
                // The first event says that the listener is connected.
                for await _ in listener.events { call.yield() }
            }
            group.addTask {
                for await _ in calls where try await isTrue() { return }
            }
            group.addTask {
                try await Task.sleep(for: .seconds(180))
                let farm = try await self.spool(["status"]).output
                throw FFmpegTool.Failure(
                    description: "what the test waits for has not happened after three minutes, and the farm is: \(farm)")
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Waits until processes have ended.
    nonisolated func untilGone(_ processes: [Int]) async throws {
        for process in processes { _ = try await ShellTool.run("tail --pid \(process) -s 0.02 -f /dev/null") }
    }
}
