package import FarmAPI
package import FoundationEssentials

/// What the database knows of the farm's state, for metrics and readiness. Every call is cheap however much waits: it
/// reads counts, the ends of indexes, and the exports that have not ended.
package protocol ObservationStore: Sendable {
    func observe(at now: Date) async throws -> FarmCounts
    /// The bytes of all tenants' assets. It reads the row of every asset, so it is asked for once in a minute.
    func assetBytes() async throws -> Int64
}

/// The farm's state as the database has it.
package struct FarmCounts: Hashable, Sendable {
    /// The open jobs of one role, pool and state.
    package struct Lane: Hashable, Sendable {
        package var role: WorkerRole
        package var pool: String
        package var state: JobState
        package var jobs: Int
        /// The predicted work of these jobs, in seconds.
        package var seconds: Double

        package init(role: WorkerRole, pool: String, state: JobState, jobs: Int, seconds: Double) {
            self.role = role
            self.pool = pool
            self.state = state
            self.jobs = jobs
            self.seconds = seconds
        }
    }

    /// How many pools are told apart.
    package static let poolLimit = 50

    package var lanes: [Lane] = []
    /// Pools that workers served lately. One whose workers are all gone is among them, because its backlog is the reason to
    /// start some.
    package var servedPools: Set<String> = []
    /// For how many seconds the oldest ready job of each role has waited.
    package var oldestReady: [WorkerRole: Double] = [:]
    package var paused: Set<WorkerRole> = []
    /// Exports that have not ended, by state.
    package var openExports: [ExportState: Int] = [:]
    package var deadLetters = 0
    /// Whether a coordinator leads.
    package var hasLeader = false

    package init() {}
}
