package import BlockingWork
public import Coordinator
public import Hummingbird
public import JobQueue

/// What the HTTP API is made of.
///
///     let service = FarmService(store: store, queue: queue, assets: assets, films: films) { leader.wake() }
///     try await Application(router: service.router(), configuration: ...).runService()
///
/// It keeps nothing itself: any number of coordinators may serve the same farm.
public struct FarmService: Sendable {
    let store: any FarmStore
    let queue: any CoordinatorQueue
    let assets: any AssetBlobs
    let films: any FilmFiles
    let sources: SourceRule
    /// For documents that take long to read.
    package let work: BlockingPool
    /// Uploads under way, by tenant.
    let uploads: Slots
    /// The memory for JSON bodies, a place for each byte, by tenant.
    package let bodies: Slots
    let options: Options
    let bell: ExportBell
    /// Makes the leader look at once.
    let wake: @Sendable () -> Void

    /// Limits.
    public struct Options: Sendable {
        /// Bytes of a JSON body.
        public var documentLimit = 16 << 20
        /// Bytes of one asset.
        public var assetLimit: Int64 = 64 << 30
        /// Documents that are read and judged at a time.
        public var documentThreads = 2
        /// Documents that wait for that, of all tenants together.
        public var documentsWaiting = 64
        /// Documents of one tenant that wait for that.
        public var documentsWaitingPerTenant = 16
        /// What clients may ask, and how fast.
        public var requests = RequestLimits()
        /// How often a connection that watches an export looks at the store when nobody rings the bell.
        public var watchInterval = Duration.seconds(5)

        public init() {}
    }

    /// - Parameters:
    ///   - sources: which sources drafts may name.
    ///   - bell: rung for an export that has changed.
    ///   - wake: called after everything that gives the leader something to do.
    public init(
        store: any FarmStore, queue: any CoordinatorQueue, assets: any AssetBlobs, films: any FilmFiles,
        sources: SourceRule = SourceRule(), options: Options = Options(), bell: ExportBell = ExportBell(),
        wake: @escaping @Sendable () -> Void
    ) {
        self.store = store
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
        self.bell = bell
        self.wake = wake
    }

    /// All routes.
    public func router() -> Router<FarmRequestContext> {
        let router = Router(context: FarmRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: FaultMiddleware())
        router.add(middleware: AddressRate(options.requests))
        HealthRoutes(store: store, queue: queue).add(to: router)
        let authentication = BearerAuthentication(
            tenants: store, budget: TokenBudget(options.requests), bodies: bodies)
        let v1 = router.group("v1").add(middleware: authentication)
        ExportRoutes(service: self).add(to: v1)
        FilmRoute(store: store, films: films).add(to: v1)
        EventRoute(
            store: store, bell: bell, interval: options.watchInterval,
            streams: Slots(options.requests.streams, perHolder: options.requests.streamsPerToken)
        ).add(to: v1)
        DraftRoutes(store: store, limit: options.documentLimit, work: work).add(to: v1)
        AssetRoutes(self).add(to: v1)
        RecordingRoutes(service: self).add(to: v1)
        QueueRoutes(store: store, wake: wake).add(to: v1)
        JobRoutes(store: store, wake: wake).add(to: v1)
        WorkerRoutes(store: store, queue: queue).add(to: v1)
        AdministrationRoutes(store: store).add(to: v1)
        // What is added last is asked only where no route fits.
        router.add(middleware: AllowedMethods(of: router.routes))
        return router
    }
}
