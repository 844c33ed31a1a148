package import FarmAPI

/// The contents of a queue at one moment, for those who check it. All ages are by the queue's own clock, in seconds.
package struct QueueContents: Hashable, Sendable {
    /// The workers that may take a ticket.
    package enum Readers: Hashable, Sendable {
        case pool(WorkerRole, String)
        case worker(String)

        package func include(_ worker: WorkerStatus) -> Bool {
            switch self {
            case .pool(let role, let pool): worker.roles.contains(role) && worker.pools.contains(pool)
            case .worker(let id): worker.id == id
            }
        }
    }

    /// A ticket that no worker has taken.
    package struct Waiting: Hashable, Sendable {
        package var id: AttemptID
        package var readers: Readers
        package var age: Double

        package init(_ id: AttemptID, for readers: Readers, age: Double) {
            self.id = id
            self.readers = readers
            self.age = age
        }
    }

    /// A ticket that a worker has taken and not finished.
    package struct Taken: Hashable, Sendable {
        package var id: AttemptID
        package var worker: String
        /// For how long the lease has not been renewed.
        package var silence: Double

        package init(_ id: AttemptID, by worker: String, silence: Double) {
            self.id = id
            self.worker = worker
            self.silence = silence
        }
    }

    package var waiting: [Waiting]
    package var taken: [Taken]
    /// The attempts whose ends are reported and not acknowledged.
    package var reported: Set<AttemptID>
    /// The age of the oldest report that is not acknowledged; nil where there is none.
    package var reportAge: Double?

    package init(
        waiting: [Waiting] = [], taken: [Taken] = [], reported: Set<AttemptID> = [], reportAge: Double? = nil
    ) {
        self.waiting = waiting
        self.taken = taken
        self.reported = reported
        self.reportAge = reportAge
    }

    /// All attempts that wait or that a worker has taken.
    package var held: Set<AttemptID> { Set(waiting.map(\.id)).union(taken.map(\.id)) }
}
