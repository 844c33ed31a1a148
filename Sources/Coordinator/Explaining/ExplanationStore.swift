package import FarmAPI
package import ExportPlan

/// What the store knows of the reasons why jobs and exports wait. It is asked about one job or export at a time.
package protocol ExplanationStore: Sendable {
    /// What else decides when a ready job is sent.
    func rivals(of job: Job) async throws -> JobRivals
    /// What decides when an export is compiled.
    func compileRivals(of export: Export) async throws -> CompileRivals
}

/// What stands beside a job that is ready.
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

/// What stands before an export that has to be compiled.
package struct CompileRivals: Hashable, Sendable {
    /// The exports of the same tenant that are compiled before it.
    package var earlier = 0
    /// The open jobs of its tenant, counted up to the quota; nil where the tenant has no quota.
    package var openJobs: Int?
    package var maxOpenJobs: Int?

    package init() {}
}
