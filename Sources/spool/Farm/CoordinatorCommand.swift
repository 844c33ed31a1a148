import ArgumentParser
import ArtifactStore
import Coordinator
import FarmSettings
import HTTPAPI
import Hummingbird
import JobQueue
import Logging
import Postgres
import ProcessIsolation
import ServiceLifecycle
import UnixSignals

/// `spool coordinator`: the HTTP API, and, while it holds the lead, the leader's work.
struct CoordinatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coordinator", abstract: "Serve the farm's API and lead its workers.")

    @OptionGroup var options: SettingsOptions

    @Option(help: "The address to listen on.")
    var host: String?

    @Option(help: "The port to listen on.")
    var port: String?

    @OptionGroup var limits: LimitOptions

    func run() async throws {
        // The environment may hold the passwords of PostgreSQL and Redis.
        Isolation.hide()
        let settings = try options.settings(limits.flags.merging([.host: host, .port: port]) { $1 })
        let (database, redisURL, directory, host, port, allowed) = try orUsage {
            (
                try settings.text(.databaseURL), try settings.text(.redisURL), FarmDirectory(try settings.text(.store)),
                try settings.text(.host), try settings.integer(.port, in: 0...65_535),
                try settings.list(.allow, separator: ":")
            )
        }
        let (serviceOptions, statementTimeout) = try orUsage { try LimitOptions.read(settings) }
        OpenFiles.allowMany()
        let logger = Logger(label: "coordinator")
        let postgres = PostgresConfiguration(database, applicationName: "spool coordinator")
        // A database that is away is told at once: clients try again by themselves, and so does the leader.
        let pool = PostgresPool(postgres, limit: 8, connectAttempts: 2)
        try await check(pool)
        // The API has connections of its own: what a client asks for is given up where the leader's work would go on.
        var apiPostgres = PostgresConfiguration(database, applicationName: "spool coordinator API")
        apiPostgres.statementTimeout = statementTimeout
        apiPostgres.lockTimeout = statementTimeout / 2
        let apiPool = PostgresPool(apiPostgres, limit: 8, connectAttempts: 2)
        // Workers take a store without it for one that is away.
        try directory.marker.create()
        let store = PostgresFarmStore(pool)
        let queue = try await RedisJobQueue.checked(url: redisURL, logger)
        let sources = SourceRule(allowedDirectories: allowed)
        let wake = WakeSignal()
        let bell = ExportBell()
        let leader = Leader(
            store: store, queue: queue, planner: ExportPlanner(sources: sources), wake: wake, logger: logger)
        let service = FarmService(
            store: PostgresFarmStore(apiPool), queue: queue, assets: try DirectoryAssets(directory),
            films: DirectoryFilms(directory), sources: sources, options: serviceOptions, bell: bell, wake: { wake.wake() })
        let server = Application(
            router: service.router(), server: service.server(),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: "spool"),
            onServerRunning: { channel in
                logger.info("listening on \(host):\(channel.localAddress?.port ?? port)")
            }, logger: logger)
        let leading = LeadingService(
            election: LeaderElection(postgres, logger: logger), leader: leader,
            listener: PostgresListener(postgres, channels: [PostgresFarmStore.workChannel, PostgresFarmStore.exportChannel]),
            wake: wake, bell: bell, logger: logger)
        let group = ServiceGroup(
            services: [leading, server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        try await group.run()
        await apiPool.close()
        await pool.close()
    }

    private func check(_ pool: PostgresPool) async throws {
        do {
            if let complaint = try await Migrator(pool).complaint() {
                throw CommandFailure(complaint, status: ExitStatus.unavailable)
            }
        } catch let error as FarmError {
            throw CommandFailure(error)
        }
    }
}

/// The election, the leader, and the ear for what the database announces, as one service that ends with the program.
private struct LeadingService: Service {
    let election: LeaderElection
    let leader: Leader
    let listener: PostgresListener
    let wake: WakeSignal
    let bell: ExportBell
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await election.run { await leader.run() } }
                group.addTask {
                    do {
                        try await listener.run()
                    } catch {
                        logger.error("cannot listen to the database: \(error)")
                    }
                }
                group.addTask {
                    for await event in listener.events {
                        if case .notification(let note) = event, note.channel == PostgresFarmStore.exportChannel {
                            ExportID(note.payload).map(bell.ring)
                            continue
                        }
                        // There is work, or a break after which there may be.
                        wake.wake()
                        if case .reconnected = event { bell.ringAll() }
                    }
                }
            }
        }
    }
}
