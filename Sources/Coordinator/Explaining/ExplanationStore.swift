package import FarmAPI
package import ExportPlan
package import FoundationEssentials

/// The store's part of the reasons for which jobs and exports wait. It is asked about one job or export at a time.
package protocol ExplanationStore: Sendable {
    /// The jobs and exports that decide when a ready job is sent.
    func rivals(of job: Job) async throws -> JobRivals
    /// The exports and jobs that decide when an export is compiled.
    func compileRivals(of export: Export) async throws -> CompileRivals
    /// The jobs that decide which ready jobs are sent next: all that are in flight, and of each tenant and pool the first
    /// `limit` exports that have ready jobs, with their first `limit` ready jobs. Jobs that wait for their time, and those
    /// whose artifact is being made, are left out.
    func nextJobsCandidates(_ filter: NextJobsFilter, at now: Date) async throws -> [NextJobsCandidate]
}

/// The jobs, exports and workers that decide when a ready job is sent.
package struct JobRivals: Hashable, Sendable {
    /// How many exports of the same tenant are listed at most.
    package static let limit = 3

    /// The first exports of the same tenant that go before the job's export and have jobs of its role and pool that are
    /// ready, in their order.
    package var earlier: [ExportID] = []
    /// The number of other tenants with such jobs.
    package var otherTenants = 0
    /// The number of such exports of all tenants whose priority is above their tenant's cap.
    package var urgentExports = 0
    /// A job of the same tenant that makes the same artifact now, and the worker that has begun it.
    package var maker: Int64?
    package var makerWorker: String?
    /// Workers that lacked what a job of the same kind and export needed, with the failure that says what it was.
    package var lacking: [String: JobFailure] = [:]

    package init() {}
}

/// The exports and jobs that an export waits for before it is compiled.
package struct CompileRivals: Hashable, Sendable {
    /// The exports of the same tenant that are compiled before it.
    package var earlier = 0
    /// The open jobs of its tenant, counted up to the quota; nil where the tenant has no quota.
    package var openJobs: Int?
    package var maxOpenJobs: Int?

    package init() {}
}
