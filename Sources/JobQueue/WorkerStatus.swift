#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A worker's sign of life: what it is and what each of its slots does right now.
public struct WorkerStatus: Hashable, Sendable, Codable {
    public struct Running: Hashable, Sendable, Codable {
        public var job: Int64
        public var attempt: Int
        public var kind: JobKind
        /// Frames that are done; of a sound blocks, of a probe pieces read.
        public var done: Int
        /// Frames that there are in all; 0 where they are not counted.
        public var total: Int
        public var startedAt: Date

        public init(job: Int64, attempt: Int, kind: JobKind, done: Int, total: Int, startedAt: Date) {
            self.job = job
            self.attempt = attempt
            self.kind = kind
            self.done = done
            self.total = total
            self.startedAt = startedAt
        }

        public var id: AttemptID { AttemptID(job: job, attempt: attempt) }

        /// Frames per second since the job began.
        public func rate(at now: Date) -> Double {
            let seconds = now.timeIntervalSince(startedAt)
            return seconds > 0 ? Double(done) / seconds : 0
        }
    }

    public var id: String
    public var host: String
    public var version: String
    public var roles: [WorkerRole]
    public var pools: [String]
    public var slots: Int
    public var startedAt: Date
    public var seenAt: Date
    public var isDraining: Bool
    /// Why it takes no jobs for now, such as a store that is away; nil while it takes them. Earlier versions do not say it.
    public var pausedFor: String?
    public var running: [Running]

    public init(
        id: String, host: String, version: String, roles: [WorkerRole], pools: [String], slots: Int, startedAt: Date,
        seenAt: Date, isDraining: Bool, pausedFor: String? = nil, running: [Running]
    ) {
        self.id = id
        self.host = host
        self.version = version
        self.roles = roles
        self.pools = pools
        self.slots = slots
        self.startedAt = startedAt
        self.seenAt = seenAt
        self.isDraining = isDraining
        self.pausedFor = pausedFor
        self.running = running
    }
}
