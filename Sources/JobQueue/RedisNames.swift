/// The keys that the farm uses in Redis. All begin alike, so that an operator can tell them from others'.
enum RedisNames {
    /// Which coordinator has the queue; gone when Redis has lost everything.
    static let epoch = "spool:epoch"
    static let reports = "spool:reports"
    /// Names of the streams of jobs that were ever sent to.
    static let streams = "spool:streams"
    /// The only group of the reports' stream.
    static let coordinators = "coordinators"
    /// The only group of every stream of jobs.
    static let workers = "workers"
    /// Ids of workers that were seen.
    static let roster = "spool:workers"
    /// Attempts that shall stop, as `job:attempt`.
    static let cancelled = "spool:cancelled"

    static func jobs(_ role: WorkerRole, pool: String) -> String { "spool:jobs:\(role.rawValue):\(pool)" }
    static func status(ofWorker id: String) -> String { "spool:worker:\(id)" }
}
