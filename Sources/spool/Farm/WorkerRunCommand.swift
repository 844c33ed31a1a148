import ArgumentParser
import ArtifactStore
import Dispatch
import FarmSettings
import JobQueue
import LocalServers
import Logging
import ProcessIsolation
import Redis
import RenderingProcesses
import Synchronization
import Worker

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// `spool worker`: takes jobs and renders them. The first SIGTERM (or Ctrl-C) drains, a second one stops at once.
struct WorkerRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Take jobs from the farm's queue and render them.",
        discussion: "The first SIGTERM lets running jobs end; a second one stops at once.")

    @OptionGroup var options: SettingsOptions

    @Option(help: "What it does, separated by commas: video, audio, stitch.")
    var roles: String?

    @Option(help: "Jobs at a time. Default: the machine's cores.")
    var slots: String?

    @Option(
        name: [.customLong("tags"), .customLong("pools")],
        help: "Which exports' jobs it takes, by their pool, separated by commas.")
    var pools: String?

    @Option(help: "Megabytes that a rendering process may use.")
    var memory: String?

    @Option(help: "Seconds that running jobs may take to end when it drains.")
    var grace: String?

    @Option(help: "The user that rendering processes run as where root starts it. Default: spool-render or else nobody.")
    var renderUser: String?

    @Option(help: "Its name, unlike any other worker's. Default: made of host and process.")
    var name: String?

    func run() async throws {
        // The environment may hold the password of Redis, which is nothing for who decodes strangers' files.
        Isolation.hide()
        let settings = try options.settings([
            .roles: roles, .slots: slots, .pools: pools, .memory: memory, .grace: grace, .renderUser: renderUser,
        ])
        let configuration = try configuration(settings)
        var logger = Logger(label: "worker")
        logger[metadataKey: "worker"] = "\(configuration.id)"
        let redis = try await queue(settings, logger)
        let worker = Worker(configuration, queue: redis, logger: logger)
        logger.info("working: \(configuration.slots) slots, roles \(configuration.roles.map(\.rawValue).joined(separator: ","))")
        try await drainingOnSignal(worker, within: configuration.grace + configuration.farewell + .seconds(5))
    }

    private func configuration(_ settings: FarmSettings) throws -> WorkerConfiguration {
        try orUsage {
            let roles = try settings.list(.roles).map { text in
                guard let role = WorkerRole(rawValue: text) else {
                    throw FarmSettings.Fault(lines: ["roles are video, audio and stitch, not '\(text)'"])
                }
                return role
            }
            let pools = try settings.list(.pools)
            guard !roles.isEmpty, !pools.isEmpty else {
                throw FarmSettings.Fault(lines: ["a worker needs at least one role and one pool"])
            }
            let wanted = try settings.integer(.slots, in: 0...1024)
            let host = ProcessInfo.processInfo.hostName
            let directory = FarmDirectory(try settings.text(.store))
            let user = try renderUser(try settings.text(.renderUser), reaching: directory)
            return WorkerConfiguration(
                id: name ?? "\(host)-\(getpid())-\(String(UInt32.random(in: 0...UInt32.max), radix: 36))", host: host,
                version: Spool.version, roles: roles, pools: pools,
                slots: wanted > 0 ? wanted : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
                grace: .seconds(try settings.integer(.grace, in: 0...86_400)),
                directory: directory,
                allowedDirectories: try settings.list(.allow, separator: ":"),
                process: try Renderer.process(memory: try settings.integer(.memory, in: 256...1_048_576), user: user),
                renderUser: user.map { RenderUser(userID: $0.userID, groupID: $0.groupID) })
        }
    }

    private func renderUser(_ name: String, reaching directory: FarmDirectory) throws -> UnprivilegedUser? {
        do {
            let user = try UnprivilegedUser.forRenderers(named: name)
            try user?.checkReaches(
                directory.root, who: "rendering processes",
                remedy: "choose another store, or name a user who may with --render-user")
            return user
        } catch let error as LocalServerError {
            throw CommandFailure(error.description, status: ExitStatus.unavailable)
        }
    }

    private func queue(_ settings: FarmSettings, _ logger: Logger) async throws -> RedisJobQueue {
        let url = try orUsage { try settings.text(.redisURL) }
        return try await RedisJobQueue.checked(url: url, logger)
    }

    /// - Parameter end: how long draining may take. A process or a disk that cannot be interrupted then keeps the worker no longer:
    ///   what it had, the leases bring back.
    private func drainingOnSignal(_ worker: Worker, within end: Duration) async throws {
        let task = Task { try await worker.run() }  // awaited below; a task of its own, because a signal cancels it
        let count = Mutex(0)
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                let isFirst = count.withLock { count in
                    count += 1
                    return count == 1
                }
                if isFirst {
                    Task { await worker.drain() }  // ends `run`
                    WorkerRunCommand.exit(128 + number, after: end)
                } else {
                    task.cancel()
                    WorkerRunCommand.exit(128 + number, after: .seconds(2))
                }
            }
            source.resume()
            return source
        }
        defer { sources.forEach { $0.cancel() } }
        do {
            try await task.value
        } catch is CancellationError {
            throw CommandFailure(signal: SIGTERM)
        }
    }

    /// Ends the program some time from now, where it has not ended by then. Rendering processes end with it.
    private static func exit(_ status: Int32, after time: Duration) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(time / .milliseconds(1)))) { _exit(status) }
    }
}

extension RedisJobQueue {
    /// A queue on a server that is there and rightly set; what cannot be read in it is logged.
    /// - Throws: `CommandFailure` that says what to do.
    static func checked(url: String, _ logger: Logger) async throws -> RedisJobQueue {
        do {
            let queue = RedisJobQueue(RedisClient(try RedisConfiguration(url: url))) { logger.warning("\($0)") }
            if let complaint = try await queue.complaint() {
                throw CommandFailure(complaint, status: ExitStatus.unavailable)
            }
            return queue
        } catch let error as RedisError {
            throw CommandFailure(
                error.description, status: error.code == .invalidConfiguration ? ExitStatus.usage : ExitStatus.unavailable)
        }
    }
}
