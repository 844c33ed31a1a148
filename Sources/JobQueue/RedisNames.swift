import FarmAPI

/// The keys that the farm uses in Redis. All begin with `spool:`, so that an operator can tell them from others.
enum RedisNames {
    /// The coordinator that uses the queue; missing when Redis has lost everything.
    static let epoch = "spool:epoch"
    /// The highest number of a job whose ticket was sent.
    static let highestJob = "spool:highest-job"
    static let reports = "spool:reports"
    /// Names of all streams of jobs that tickets were ever sent to.
    static let streams = "spool:streams"
    /// The only group of the reports' stream.
    static let coordinators = "coordinators"
    /// The only group of every stream of jobs.
    static let workers = "workers"
    /// Ids of the workers that sent a heartbeat.
    static let roster = "spool:workers"
    /// Attempts that have to stop, as `job:attempt`.
    static let cancelled = "spool:cancelled"

    /// The stream of jobs that only one worker may take.
    static func jobs(ofWorker id: String) -> String { "spool:worker-jobs:\(id)" }

    /// The stream that a ticket goes to.
    static func jobs(_ ticket: JobTicket) -> String {
        let (role, pool) = (ticket.kind.role, ticket.pool)
        return ticket.worker.map(jobs(ofWorker:)) ?? (ticket.isExpress == true ? express : jobs)(role, pool)
    }

    static func jobs(_ role: WorkerRole, pool: String) -> String { "spool:jobs:\(role.rawValue):\(pool)" }

    /// The stream of a lane's jobs that overtake the others.
    static func express(_ role: WorkerRole, pool: String) -> String { "spool:express-jobs:\(role.rawValue):\(pool)" }

    /// The streams that a worker reads, in this order: its own, the express streams of its lanes, and the others.
    static func jobs(ofWorker id: String, roles: [WorkerRole], pools: [String]) -> [String] {
        let lanes = roles.flatMap { role in pools.map { (role, $0) } }
        return [jobs(ofWorker: id)] + lanes.map { express($0, pool: $1) } + lanes.map { jobs($0, pool: $1) }
    }

    /// The streams that a worker reads. Workers of earlier versions do not read the express streams.
    static func jobs(of worker: WorkerStatus) -> [String] {
        let all = jobs(ofWorker: worker.id, roles: worker.roles, pools: worker.pools)
        guard worker.readsExpress != true else { return all }
        let unread = worker.roles.flatMap { role in worker.pools.map { express(role, pool: $0) } }
        return all.filter { !unread.contains($0) }
    }

    /// The workers that may take tickets from a stream; nil for another name than those above.
    static func readers(ofStream name: String) -> QueueContents.Readers? {
        if let id = name.suffix(after: jobs(ofWorker: "")) { return .worker(id) }
        for role in WorkerRole.allCases {
            for beginning in [jobs(role, pool: ""), express(role, pool: "")] {
                if let pool = name.suffix(after: beginning) { return .pool(role, pool) }
            }
        }
        return nil
    }
    /// The reference to a source whose encoded bytes have this sha256.
    static func source(_ digest: String) -> String { "spool:source:\(digest)" }
    /// The time at which the worker that shall drain was started, in seconds since 1970; behind `resuming` where that was taken back.
    static func drain(ofWorker id: String) -> String { "spool:drain:\(id)" }
    /// The beginning of a request to drain that was taken back. Workers of earlier versions cannot read such a request, and
    /// so do not drain where they have not begun.
    static let resuming = "resume "
    static func status(ofWorker id: String) -> String { "spool:worker:\(id)" }
}

extension String {
    /// The rest of the text behind a beginning; nil where the text begins otherwise.
    fileprivate func suffix(after beginning: String) -> String? {
        hasPrefix(beginning) ? String(dropFirst(beginning.count)) : nil
    }
}
