import ArgumentParser
import ArtifactStore
import Dispatch
import FarmSettings
import JobQueue
import Logging
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

    @Option(help: "Its name, unlike any other worker's. Default: made of host and process.")
    var name: String?

    func run() async throws {
        let settings = try options.settings([.roles: roles, .slots: slots, .pools: pools, .memory: memory, .grace: grace])
        let configuration = try configuration(settings)
        let redis = try await queue(settings)
        var logger = Logger(label: "worker")
        logger[metadataKey: "worker"] = "\(configuration.id)"
        let worker = Worker(configuration, queue: redis, logger: logger)
        logger.info("working: \(configuration.slots) slots, roles \(configuration.roles.map(\.rawValue).joined(separator: ","))")
        try await drainingOnSignal(worker)
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
            return WorkerConfiguration(
                id: name ?? "\(host)-\(getpid())-\(String(UInt32.random(in: 0...UInt32.max), radix: 36))", host: host,
                version: Spool.version, roles: roles, pools: pools,
                slots: wanted > 0 ? wanted : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
                grace: .seconds(try settings.integer(.grace, in: 0...86_400)),
                directory: FarmDirectory(try settings.text(.store)),
                allowedDirectories: try settings.list(.allow, separator: ":"),
                process: try Renderer.process(memory: try settings.integer(.memory, in: 256...1_048_576)))
        }
    }

    private func queue(_ settings: FarmSettings) async throws -> RedisJobQueue {
        let url = try orUsage { try settings.text(.redisURL) }
        return try await RedisJobQueue.checked(url: url)
    }

    private func drainingOnSignal(_ worker: Worker) async throws {
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
                } else {
                    task.cancel()
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
}

extension RedisJobQueue {
    /// A queue on a server that is there and rightly set.
    /// - Throws: `CommandFailure` that says what to do.
    static func checked(url: String) async throws -> RedisJobQueue {
        do {
            let queue = RedisJobQueue(RedisClient(try RedisConfiguration(url: url)))
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
