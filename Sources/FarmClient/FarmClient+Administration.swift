package import FarmAPI
import Vocabulary
package import FoundationEssentials

/// Drafts, queues, workers, cost models, tenants and tokens.
extension FarmClient {
    // MARK: Drafts

    package func putDraft(_ name: String, document: Data) async throws -> DraftRevision {
        try await call("PUT", "/v1/drafts/\(name.percentEncoded())", body: document, as: DraftRevision.self)
    }

    /// - Parameter revision: nil for the newest.
    /// - Returns: the document's exact bytes as they were stored.
    package func draft(_ name: String, revision: Int? = nil) async throws -> Data {
        let query = [("revision", revision.map(String.init))]
        return try await exchange("GET", "/v1/drafts/\(name.percentEncoded())", query: query)
    }

    /// The revisions of a draft that match, the newest first.
    /// - Parameters:
    ///   - limit: how many are listed at most; nil for all that match.
    ///   - matches: nil where all do.
    package func draftRevisions(
        _ name: String, limit: Int?, where matches: ((DraftRevisionReport) -> Bool)? = nil
    ) async throws -> Listing<DraftRevisionReport> {
        try await newer("list the revisions of a draft") {
            try await listing(
                "/v1/drafts/\(name.percentEncoded())/revisions", query: [], limit: limit, of: DraftRevisionReport.self,
                where: matches)
        }
    }

    /// Takes a draft out of the library.
    package func removeDraft(_ name: String) async throws {
        _ = try await exchange("DELETE", "/v1/drafts/\(name.percentEncoded())", repeatable: false)
    }

    package func drafts() async throws -> Listing<DraftRevision> {
        try await all("/v1/drafts", of: DraftRevision.self)
    }

    // MARK: Queues and workers

    package func queues() async throws -> Listing<QueueStatus> {
        try await call("GET", "/v1/queues", as: Listing<QueueStatus>.self)
    }

    package func setPaused(_ role: WorkerRole, _ paused: Bool) async throws -> QueuePause {
        try await call("POST", "/v1/queues/\(role.rawValue)/\(paused ? "pause" : "resume")", as: QueuePause.self)
    }

    package func workers() async throws -> Listing<WorkerReport> {
        try await all("/v1/workers", of: WorkerReport.self)
    }

    package func worker(_ id: String) async throws -> WorkerReport {
        try await call("GET", "/v1/workers/\(id.percentEncoded())", as: WorkerReport.self)
    }

    /// Asks a worker to drain.
    package func drainWorker(_ id: String) async throws -> WorkerReport {
        try await call("POST", "/v1/workers/\(id.percentEncoded())/drain", as: WorkerReport.self)
    }

    /// Takes back that a worker was asked to drain.
    package func resumeWorker(_ id: String) async throws -> WorkerReport {
        try await newer("let a worker resume") {
            try await call("POST", "/v1/workers/\(id.percentEncoded())/resume", as: WorkerReport.self)
        }
    }

    /// The ready jobs that are sent next.
    /// - Parameters:
    ///   - role: nil for all.
    ///   - pool: nil for all.
    ///   - limit: 1...`QueuedJob.limit`.
    package func nextJobs(role: WorkerRole?, pool: String?, limit: Int) async throws -> Listing<QueuedJob> {
        try await newer("list the jobs that are sent next") {
            try await call(
                "GET", "/v1/queues/next", query: [("role", role?.rawValue), ("pool", pool), ("limit", "\(limit)")],
                as: Listing<QueuedJob>.self)
        }
    }

    package func costModels() async throws -> Listing<CostModelReport> {
        try await call("GET", "/v1/cost-models", as: Listing<CostModelReport>.self)
    }

    package func audit() async throws -> AuditReport { try await call("GET", "/v1/audit", as: AuditReport.self) }

    /// What operators changed, the newest first.
    /// - Parameter limit: how many are listed at most, 1...1000.
    package func adminActions(limit: Int) async throws -> Listing<AdminAction> {
        try await call("GET", "/v1/audit/log", query: [("limit", "\(limit)")], as: Listing<AdminAction>.self)
    }

    // MARK: Tenants and tokens

    package func tenants() async throws -> Listing<Tenant> {
        try await all("/v1/tenants", of: Tenant.self)
    }

    package func createTenant(_ tenant: NewTenant) async throws -> Tenant {
        try await call("POST", "/v1/tenants", body: try FarmJSON.encode(tenant), repeatable: false, as: Tenant.self)
    }

    package func changeTenant(_ name: String, _ change: TenantChange) async throws -> Tenant {
        let body = try FarmJSON.encode(change)
        return try await call("PATCH", "/v1/tenants/\(name.percentEncoded())", body: body, as: Tenant.self)
    }

    package func tokens() async throws -> Listing<Token> {
        try await all("/v1/tokens", of: Token.self)
    }

    /// Creates a token. Only this answer contains its secret.
    package func createToken(_ token: NewToken) async throws -> IssuedToken {
        try await call("POST", "/v1/tokens", body: try FarmJSON.encode(token), repeatable: false, as: IssuedToken.self)
    }

    /// Replaces a token. Only this answer contains the new one's secret.
    package func rotateToken(_ id: Int64, _ rotation: TokenRotation) async throws -> IssuedToken {
        let body = try FarmJSON.encode(rotation)
        return try await call("POST", "/v1/tokens/\(id)/rotate", body: body, repeatable: false, as: IssuedToken.self)
    }

    package func revokeToken(_ id: Int64) async throws {
        _ = try await exchange("DELETE", "/v1/tokens/\(id)", repeatable: false)
    }
}
