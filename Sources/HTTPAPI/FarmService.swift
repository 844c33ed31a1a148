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
        /// How often a connection that watches an export looks at the store when nobody rings the bell.
        public var watchInterval = Duration.seconds(5)

        public init() {}
    }

    /// - Parameters:
    ///   - bell: rung for an export that has changed.
    ///   - wake: called after everything that gives the leader something to do.
    public init(
        store: any FarmStore, queue: any CoordinatorQueue, assets: any AssetBlobs, films: any FilmFiles,
        options: Options = Options(), bell: ExportBell = ExportBell(), wake: @escaping @Sendable () -> Void
    ) {
        self.store = store
        self.queue = queue
        self.assets = assets
        self.films = films
        self.options = options
        self.bell = bell
        self.wake = wake
    }

    /// All routes.
    public func router() -> Router<FarmRequestContext> {
        let router = Router(context: FarmRequestContext.self)
        router.add(middleware: FaultMiddleware())
        HealthRoutes(store: store, queue: queue).add(to: router)
        let v1 = router.group("v1").add(middleware: BearerAuthentication(tenants: store))
        ExportRoutes(service: self).add(to: v1)
        FilmRoute(store: store, films: films).add(to: v1)
        EventRoute(store: store, bell: bell, interval: options.watchInterval).add(to: v1)
        DraftRoutes(store: store, limit: options.documentLimit).add(to: v1)
        AssetRoutes(store: store, blobs: assets, limit: options.assetLimit).add(to: v1)
        RecordingRoutes(service: self).add(to: v1)
        QueueRoutes(store: store, wake: wake).add(to: v1)
        JobRoutes(store: store, wake: wake).add(to: v1)
        WorkerRoutes(store: store, queue: queue).add(to: v1)
        AdministrationRoutes(store: store).add(to: v1)
        return router
    }
}
