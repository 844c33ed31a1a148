import CommandLineInterface
import LocalFarm
import FoundationEssentials

/// The processes of a farm on this machine: PostgreSQL, Redis, a coordinator and workers. `spool up` runs them until it
/// is stopped, `spool bench` for one measurement. They stop in the reverse order of their start, whatever ends the work
/// that they run for.
struct FarmProcesses: Sendable {
    /// The directory of all data and logs, which exists.
    var directory: String
    /// How many workers there are.
    var workers: Int
    /// The words of the coordinator's and of each worker's command line.
    var coordinatorWords: [String]
    var workerWords: [String]
    /// Directories that sources named by path may lie in, separated by colons.
    var allow = ""
    /// What to do where the servers' user may not enter the directory, for the message.
    var remedy: String
    var supervisor: Supervisor

    /// Runs `work` while PostgreSQL and Redis run.
    /// - Throws: `CommandFailure` when the coordinator's program is missing, `LocalServerError`, `Supervisor.Ended` when a
    ///   process has ended that is not restarted, and what `work` throws.
    func withServers<Result: Sendable>(
        _ work: @escaping @Sendable (LocalPostgres, LocalRedis) async throws -> Result
    ) async throws -> Result {
        // Without this check the coordinator would be started again and again, because what is unavailable (69) may come
        // back.
        _ = try ProgramFiles.coordinator()
        let user = try UnprivilegedUser.forServers()
        try user?.checkReaches(directory, remedy: remedy)
        let guardian = try ProgramFiles.own()
        let postgres = try await LocalPostgres(directory: directory + "/postgres", user: user, guardian: guardian)
        let redis = try LocalRedis(directory: directory + "/redis", user: user, guardian: guardian)
        let servers = [
            supervisor.supervise("postgres", .server, postgres.process), supervisor.supervise("redis", .server, redis.process),
        ]
        do {
            let result = try await unlessOneEnds { try await work(postgres, redis) }
            await stop(servers)
            return result
        } catch {
            await stop(servers)
            throw error
        }
    }

    /// Runs `work` while the coordinator and the workers run.
    func withFarm<Result>(
        _ postgres: LocalPostgres, _ redis: LocalRedis, _ work: () async throws -> Result
    ) async throws -> Result {
        let coordinator = supervisor.supervise(
            "coordinator", .own,
            try own(
                coordinatorWords, "coordinator",
                [
                    "SPOOL_DATABASE_URL": postgres.url, "SPOOL_REDIS_URL": redis.url,
                    // A certificate in a file of settings is another farm's: this one's address begins with http://.
                    SettingKey.tlsCertificate.variable: "", SettingKey.tlsKey.variable: "",
                ]))
        var started: [Task<Void, Never>] = []
        do {
            for number in 1...workers {
                started.append(
                    supervisor.supervise(
                        "worker \(number)", .own, try own(workerWords, "worker-\(number)", ["SPOOL_REDIS_URL": redis.url])))
            }
            let result = try await work()
            await stop(started)
            await stop([coordinator])
            return result
        } catch {
            await stop(started)
            await stop([coordinator])
            throw error
        }
    }

    /// The log file of the coordinator, or of a worker: `worker-1` is the first one.
    func logFile(_ name: String) -> String { directory + "/log/\(name).log" }

    /// - Throws: also `Supervisor.Ended` when a process has ended that is not restarted; the work is then cancelled.
    private func unlessOneEnds<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                try await supervisor.waitForEnd()
                return nil
            }
            group.addTask { try await work() }
            defer { group.cancelAll() }
            // The first task ends only with an error.
            guard let result = try await group.next() ?? nil else { throw CancellationError() }
            return result
        }
    }

    /// This program as one of the farm's processes. It gets only the environment variables that it needs.
    private func own(_ words: [String], _ name: String, _ environment: [String: String]) throws -> GuardedProcess {
        var environment = environment
        environment["SPOOL_STORE"] = directory + "/store"
        environment["SPOOL_ALLOW"] = allow
        // How the farm is watched, and where it sends to, is the user's choice in `spool up`, too.
        let chosen = [
            SettingKey.logFormat, .metricsAccess, .traceEndpoint, .receiverAddresses, .receiverNetworks, .destinations,
        ]
        for key in chosen {
            if let value = ProcessInfo.processInfo.environment[key.variable] { environment[key.variable] = value }
        }
        let program = try ProgramFiles.own()
        return GuardedProcess(program, words, guardian: program, environment: environment, logFile: logFile(name))
    }

    private func stop(_ processes: [Task<Void, Never>]) async {
        for process in processes { process.cancel() }
        for process in processes { await process.value }
    }
}

extension CommandFailure {
    /// The failure for an error of a farm that the command itself runs; nil for any other error.
    init?(ofOwnFarm error: any Error) {
        switch error {
        case let error as LocalServerError:
            self.init(
                lines: ("error: " + error.description).split(separator: "\n").map(String.init), status: ExitStatus.unavailable)
        case let end as Supervisor.Ended: self.init(end)
        default: return nil
        }
    }

    /// The failure for a process of the farm that ended and is not restarted.
    private init(_ end: Supervisor.Ended) {
        let isOwn = (64...78).contains(end.status)
        self.init("\(end.name) ended with status \(end.status):", status: isOwn ? end.status : ExitStatus.unavailable)
        lines += end.lastLines.map { "  " + $0 }
    }
}
