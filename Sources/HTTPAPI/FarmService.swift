package import ArtifactStore
package import BlockingWork
package import Coordinator
package import ExportPlan
package import Hummingbird
package import JobQueue
package import Telemetry
import FarmAPI
import FoundationEssentials

/// The HTTP API with everything that its routes use.
///
///     let service = FarmService(store: store, queue: queue, assets: assets, films: films) { leader.wake() }
///     try await Application(router: service.router(), configuration: ...).runService()
///
/// It holds no state of the farm, so any number of coordinators may serve the same farm.
package struct FarmService: Sendable {
    let store: any FarmStore
    /// Where clients' exports are accepted.
    let submissions: SubmissionGroups
    let queue: any CoordinatorQueue
    let assets: any AssetBlobs
    let films: any FilmFiles
    let sources: SourceRule
    /// Threads that parse and check large drafts.
    package let work: BlockingPool
    /// Slots for running uploads, by tenant.
    let uploads: Slots
    /// The memory for JSON bodies, by tenant; one slot is one byte.
    package let bodies: Slots
    let options: Options
    package let notifier: ExportNotifier
    let observer: FarmObserver
    /// The numbers of this process.
    let registry: MetricRegistry
    /// Makes the leader look for work at once.
    let wake: @Sendable () -> Void

    /// The largest JSON body of a request that is not a document, in bytes.
    package static let bodyLimit = 1 << 20

    /// Limits of the API.
    package struct Options: Sendable {
        /// The largest body of a draft, a submission or a recording's settings, in bytes.
        package var documentLimit = 16 << 20
        /// The largest asset, in bytes.
        package var assetLimit: Int64 = 64 << 30
        /// How often it is looked whether the token of a stream of events is still good.
        package var tokenInterval = Duration.seconds(5)
        /// How long a request waits for the queue's answer.
        package var queueTimeout = Duration.seconds(2)
        /// How many drafts are parsed and checked at the same time.
        package var documentThreads = 2
        /// How many drafts of all tenants together may wait for that.
        package var documentsWaiting = 64
        /// How many drafts of one tenant may wait for that.
        package var documentsWaitingPerTenant = 16
        /// Limits on requests and connections of clients.
        package var requests = RequestLimits()
        /// How often a connection that watches an export reads the store when no notification arrives.
        package var watchInterval = Duration.seconds(5)
        /// The origins whose pages may use the API from a browser, such as `https://studio.example`; `*` stands for all.
        package var origins: [String] = []
        /// Whether the coordinator has a certificate, so that cookies of the dashboard are sent over TLS only.
        package var isEncrypted = false
        /// The version of the program, for the description of the API and for provenances.
        package var version = "0"
        /// The commit that the program was built from, for provenances; empty where it is unknown.
        package var commit = ""
        /// The clients that may read `/metrics`.
        package var metricsAccess = MetricsAccess.admin
        /// The addresses that webhooks may have.
        package var receivers = AddressList.secure
        /// The bucket whose requests are signed for workers; nil where the store is a directory.
        package var sharedStore: SharedStore?
        /// How many seconds jobs wait for a worker that has what all others lack.
        package var capableWorkerWait = 600.0
        /// How long rows are kept, for the audit.
        package var retention = RetentionPolicy()
        /// The destinations that exports may name.
        package var destinations = DestinationRule.none

        package init() {}
    }

    /// - Parameters:
    ///   - sources: which sources drafts may name.
    ///   - notifier: notified of each export that has changed.
    ///   - observer: looks at the farm's state; nil for one that asks `store` and `queue`.
    ///   - registry: has the numbers of this process.
    ///   - wake: called after every change that gives the leader work.
    package init(
        store: any FarmStore, queue: any CoordinatorQueue, assets: any AssetBlobs, films: any FilmFiles,
        sources: SourceRule = SourceRule(), options: Options = Options(), notifier: ExportNotifier = ExportNotifier(),
        observer: FarmObserver? = nil, registry: MetricRegistry = MetricRegistry(),
        wake: @escaping @Sendable () -> Void
    ) {
        self.store = store
        submissions = SubmissionGroups { try await store.submit($0) }
        self.queue = queue
        self.assets = assets
        self.films = films
        self.sources = sources
        work = BlockingPool(
            name: "documents", threads: options.documentThreads, waiting: options.documentsWaiting,
            waitingPerLane: options.documentsWaitingPerTenant)
        uploads = Slots(options.requests.uploads, perHolder: options.requests.uploadsPerTenant)
        bodies = Slots(options.requests.bodyBytes, perHolder: options.requests.bodyBytesPerTenant)
        self.options = options
        self.notifier = notifier
        self.observer = observer ?? FarmObserver(store: store, queue: queue)
        self.registry = registry
        self.wake = wake
    }

    /// The recordings of this farm.
    var recordings: RecordingService {
        RecordingService(store: store, queue: queue, assets: assets, films: films, wake: wake)
    }

    /// Finds out how films were made.
    private var provenance: FarmProvenance {
        FarmProvenance(store: store, films: films, work: work, version: options.version, commit: options.commit)
    }

    /// The checks of a tenant's submission.
    func submissionCheck(tenant: Int64) -> SubmissionCheck {
        SubmissionCheck(
            store: store, assets: assets, sources: sources, destinations: options.destinations, work: work, tenant: tenant)
    }

    /// All routes.
    package func router() -> Router<FarmRequestContext> { describedRouter().router }

    /// The descriptions of all routes, in the order of `docs/http.md`.
    package var routes: [RouteDescription] { describedRouter().routes }

    private func describedRouter() -> (router: Router<FarmRequestContext>, routes: [RouteDescription]) {
        let router = Router(context: FarmRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestIdentity())
        router.add(middleware: RequestMetrics())
        router.add(middleware: AllowedOrigins(options.origins))
        router.add(middleware: FaultMiddleware())
        router.add(middleware: AddressRate(options.requests))
        let shared = SharedParts(
            authentication: BearerAuthentication(
                tenants: store, budget: TokenBudget(options.requests), bodies: bodies, observer: observer),
            streams: Slots(options.requests.streams, perHolder: options.requests.streamsPerToken),
            history: CachedLook(at: "the count of the last hour", lifetime: .seconds(15)) { [store] in
                try await store.queueHistory(at: Date())
            },
            workers: CachedLook(workersOf: queue, timeout: options.queueTimeout))
        let described = described(router, shared)
        // The dashboard asks the same routes, without what was done for its own request already.
        let inner = Router(context: FarmRequestContext.self)
        _ = self.described(inner, shared)
        DashboardRoutes(service: self, authentication: shared.authentication, routes: inner.buildResponder()).add(to: router)
        // Middleware that is added last runs only where no route matched.
        router.add(middleware: AllowedMethods(of: described.routes))
        return (router, described.routes)
    }

    /// What clients' requests and the dashboard's own share.
    private struct SharedParts {
        let authentication: BearerAuthentication
        let streams: Slots
        let history: CachedLook<[QueueHistory]>
        /// The workers with a recent heartbeat.
        let workers: CachedLook<[WorkerStatus]>
    }

    /// Registers all routes with their descriptions.
    private func described(_ router: Router<FarmRequestContext>, _ shared: SharedParts) -> DescribedRouter {
        var described = DescribedRouter(
            router, authentication: shared.authentication,
            keyed: KeyedRequests(
                store: store, bodyLimit: max(FarmService.bodyLimit, options.documentLimit)),
            adminLog: AdminLog(store: store))
        ExportRoutes(service: self).add(to: &described)
        SelectionRoutes(service: self).add(to: &described)
        FilmRoute(store: store, films: films, provenance: provenance).add(to: &described)
        StreamRoute(store: store, films: films, work: work).add(to: &described)
        PublicationRoute(store: store).add(to: &described)
        EventRoute(
            store: store, tokens: store, notifier: notifier, interval: options.watchInterval, streams: shared.streams,
            tokenInterval: options.tokenInterval
        ).add(to: &described)
        BatchRoutes(service: self).add(to: &described)
        BatchResultRoutes(store: store).add(to: &described)
        DraftRoutes(store: store, limit: options.documentLimit, work: work).add(to: &described)
        AssetRoutes(self).add(to: &described)
        RecordingRoutes(service: self).add(to: &described)
        WebhookRoutes(store: store, receivers: options.receivers).add(to: &described)
        WebhookDeliveryRoutes(store: store).add(to: &described)
        QueueRoutes(store: store, workers: shared.workers, history: shared.history, wake: wake).add(to: &described)
        JobRoutes(store: store, wake: wake).add(to: &described)
        ExplanationRoutes(
            explanation: FarmExplanation(
                store: store, workers: shared.workers, capableWorkerWait: options.capableWorkerWait)
        ).add(to: &described)
        DeadLetterRoutes(store: store).add(to: &described)
        WorkerRoutes(store: store, queue: queue, workers: shared.workers).add(to: &described)
        StoreRoutes(store: options.sharedStore).add(to: &described)
        CostModelRoutes(store: store).add(to: &described)
        AuditRoutes(audit: FarmAudit(store: store, queue: queue, retention: options.retention), log: store).add(to: &described)
        AdministrationRoutes(store: store).add(to: &described)
        HealthRoutes(observer: observer).add(to: &described)
        MetricsRoute(registry: registry, observer: observer, access: options.metricsAccess).add(to: &described)
        DescriptionRoutes(describing: described.routes, version: options.version).add(to: &described)
        return described
    }
}
