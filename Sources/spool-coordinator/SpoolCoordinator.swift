import ExportPlan
import FarmAPI
import ArgumentParser
import ArtifactStore
import CommandLineInterface
import Coordinator
import Deliveries
import LocalFarm
import HTTPAPI
import Hummingbird
import JobQueue
import Logging
import NIOCore
import Postgres
import ProcessIsolation
import S3Store
import ServiceLifecycle
import Telemetry
import UnixSignals
import FoundationEssentials
import Glibc

/// `spool-coordinator` serves the HTTP API, and does the leader's work while it is elected. `spool coordinator` becomes
/// this program, which alone has the HTTP server.
@main
struct SpoolCoordinator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spool-coordinator", abstract: "Serves the farm's API and leads its workers.",
        discussion: "'spool coordinator' starts it.")

    @OptionGroup var options: CoordinatorOptions

    static func main() async {
        // The parser would take options of a subcommand for those of the coordinator that have the same names.
        if CommandLine.arguments.dropFirst().first == PreviewServerCommand._commandName {
            await CommandProgram.run(PreviewProgram.self)
        }
        await CommandProgram.run(SpoolCoordinator.self)
    }

    func run() async throws {
        // Other processes must not read the environment, which may hold the passwords of PostgreSQL and Redis.
        Isolation.hide()
        let settings = try options.settings()
        let (database, redisURL, location, host, port, sources) = try orUsage {
            (
                try settings.text(.databaseURL), try settings.text(.redisURL), try StoreLocation(settings),
                try settings.text(.host), try settings.integer(.port, in: 0...65_535),
                SourceRule(
                    allowedDirectories: try settings.list(.allow, separator: ":"), addresses: try AddressList(settings))
            )
        }
        var (serviceOptions, statementTimeout) = try orUsage { try LimitOptions.read(settings) }
        let policy = try orUsage { try RetentionOptions.read(settings) }
        let capableWorkerWait = try orUsage { try settings.integer(.capableWorkerWait, in: 0...604_800) }
        serviceOptions.retention = policy
        serviceOptions.capableWorkerWait = Double(capableWorkerWait)
        let receivers = try orUsage { try ReceiverSettings(settings) }
        serviceOptions.receivers = receivers.addresses
        serviceOptions.destinations = receivers.destinations.rule
        serviceOptions.version = SpoolVersion.text
        serviceOptions.commit = SpoolVersion.commit
        serviceOptions.sharedStore = SharedStore(location)
        serviceOptions.origins = try orUsage { try settings.list(.origins) }
        serviceOptions.metricsAccess = try orUsage { try settings.choice(.metricsAccess, MetricsAccess.self) }
        OpenFiles.allowMany()
        let logger = Logger(label: "coordinator")
        let certificate = try orUsage { try ServerCertificate.read(settings, logger: logger) }
        serviceOptions.isEncrypted = certificate != nil
        let name = "\(ProcessInfo.processInfo.hostName):\(port)"
        let telemetry = try orUsage {
            try ProcessTelemetry(
                settings, name: "spool coordinator", version: SpoolVersion.text, instance: "\(name), process \(getpid())",
                hasMetrics: true, logger: logger)
        }
        FarmObserver.beginCounting()
        let postgres = PostgresConfiguration(database, applicationName: "spool coordinator")
        // Report an unavailable database at once: clients retry by themselves, and so does the leader. There are eight
        // compilers at most, whose long transactions must leave connections to the dispatch, to reports and to the rest.
        let pool = PostgresPool(postgres.forLeader(), limit: 16, connectAttempts: 2)
        try await check(pool)
        // The API has its own connections, because requests must not delay the leader, nor the leader the requests.
        var apiPostgres = PostgresConfiguration(database, applicationName: "spool coordinator API")
        apiPostgres.statementTimeout = statementTimeout
        apiPostgres.lockTimeout = statementTimeout / 2
        let apiPool = PostgresPool(apiPostgres, limit: 8, connectAttempts: 2)
        let store = PostgresFarmStore(pool)
        let farm = try await store.farm()
        let (assets, films) = try await StoreClaim(location, farm: farm, store, logger).files()
        let queue = try await RedisJobQueue.checked(url: redisURL, logger)
        let news = LeaderNews()
        let notifier = ExportNotifier()
        let planner = ExportPlanner(sources: sources)
        // A connection of its own: watching the farm takes none away from requests.
        var watchPostgres = PostgresConfiguration(database, applicationName: "spool coordinator observer")
        watchPostgres.statementTimeout = .seconds(5)
        watchPostgres.lockTimeout = .seconds(2)
        let watchPool = PostgresPool(watchPostgres, limit: 1, connectAttempts: 1)
        let isLeading = LeadingFlag()
        let check = StoreCheck(location, farm: farm)
        let observer = FarmObserver(
            store: PostgresFarmStore(watchPool), queue: queue, isLeading: { isLeading.value }, room: { try await check.room() })
        let service = FarmService(
            store: PostgresFarmStore(apiPool), queue: queue, assets: assets, films: films, sources: sources,
            options: serviceOptions, notifier: notifier, observer: observer,
            registry: telemetry.registry ?? MetricRegistry(), wake: { news.wake() })
        let server = Application(
            router: service.router(), server: service.server(certificate),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: "spool"),
            onServerRunning: { channel in
                let secure = certificate == nil ? "" : " with TLS"
                logger.info("listening on \(host):\(channel.localAddress?.port ?? port)\(secure)")
            }, logger: logger)
        let outgoing = OutgoingServices(receivers, films: films, logger: logger)
        let leading = LeadingService(
            election: LeaderElection(
                postgres, holder: "\(name), process \(getpid())", logger: logger),
            lead: { term in
                isLeading.value = true
                defer { isLeading.value = false }
                let led = store.leading(term)
                await withTaskGroup { group in
                    group.addTask { await Retention(store: led, policy: policy).runForTerm(term, logger) }
                    group.addTask { await outgoing.run(store: led, term) }
                    await Leader(
                        store: led, queue: queue, planner: planner, news: news, logger: logger,
                        capableWorkerWait: TimeInterval(capableWorkerWait), term: term
                    ).run()
                    group.cancelAll()
                }
            },
            listener: PostgresListener(
                postgres,
                channels: [
                    PostgresFarmStore.workChannel, PostgresFarmStore.exportChannel, PostgresFarmStore.leadChannel,
                    PostgresFarmStore.webhookChannel, PostgresFarmStore.publicationChannel,
                ]),
            news: news, notifier: notifier, outgoing: outgoing, logger: logger)
        let group = ServiceGroup(
            services: [TelemetryService(telemetry: telemetry), leading, server] + (certificate.map { [$0] } ?? []),
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger)
        do {
            try await group.run()
        } catch let error as IOError {
            throw CommandFailure(
                listeningOn: host, port, error, hostOption: "--host or SPOOL_HOST", portOption: "--port or SPOOL_PORT")
        }
        await apiPool.close()
        await watchPool.close()
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

extension SharedStore {
    /// nil for a directory.
    fileprivate init?(_ location: StoreLocation) {
        guard case .bucket(_, let blobs) = location else { return nil }
        let bucket = blobs.settings
        self.init(
            StoreReport(
                address: bucket.description, region: bucket.region, endpoint: bucket.endpoint, style: bucket.style.rawValue),
            WorkerAccess(blobs, prefix: bucket.prefix, source: bucket.copySource("")))
    }
}

/// The election, the leader and the database's notifications as one service that ends with the program.
private struct LeadingService: Service {
    let election: LeaderElection
    /// Leads for one term.
    let lead: @Sendable (LeadTerm) async -> Void
    let listener: PostgresListener
    let news: LeaderNews
    let notifier: ExportNotifier
    let outgoing: OutgoingServices
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await election.run(lead) }
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
                            ExportID(note.payload).map(notifier.notify)
                            continue
                        }
                        if case .notification(let note) = event, note.channel == PostgresFarmStore.leadChannel {
                            election.standNow()
                            continue
                        }
                        if case .notification(let note) = event, outgoing.takes(note.channel) { continue }
                        if case .notification(let note) = event {
                            news.note(payload: note.payload)
                            continue
                        }
                        // The connection was lost, and notifications may have been missed.
                        news.noteGap()
                        outgoing.wake()
                        if case .reconnected = event { notifier.notifyAll() }
                    }
                }
            }
        }
    }
}

/// Sends spans of traces until everything else has ended.
private struct TelemetryService: Service {
    let telemetry: ProcessTelemetry

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await telemetry.run()
            // A service that ends by itself would end the program.
            try? await Task.sleep(for: .seconds(86_400 * 365))  // cancelled: the program ends
        }
    }
}
