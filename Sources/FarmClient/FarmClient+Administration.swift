public import Coordinator
public import FarmAPI
public import JobQueue
import NIOHTTP1

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Drafts, queues, workers, tenants and tokens.
extension FarmClient {
    // MARK: Drafts

    public func putDraft(_ name: String, document: Data) async throws -> DraftRevision {
        try await call(.PUT, "/v1/drafts/\(FarmClient.escaped(name))", body: document, as: DraftRevision.self)
    }

    /// - Parameter revision: nil for the newest.
    /// - Returns: the document as it was handed in, to the byte.
    public func draft(_ name: String, revision: Int? = nil) async throws -> Data {
        let query = [("revision", revision.map(String.init))]
        return try await exchange(.GET, "/v1/drafts/\(FarmClient.escaped(name))", query: query).data
    }

    public func drafts() async throws -> Listing<DraftRevision> {
        try await call(.GET, "/v1/drafts", as: Listing<DraftRevision>.self)
    }

    // MARK: Queues and workers

    public func queues() async throws -> Listing<QueueStatus> {
        try await call(.GET, "/v1/queues", as: Listing<QueueStatus>.self)
    }

    public func setPaused(_ role: WorkerRole, _ paused: Bool) async throws -> QueuePause {
        try await call(.POST, "/v1/queues/\(role.rawValue)/\(paused ? "pause" : "resume")", as: QueuePause.self)
    }

    public func workers() async throws -> Listing<WorkerReport> {
        try await call(.GET, "/v1/workers", as: Listing<WorkerReport>.self)
    }

    public func worker(_ id: String) async throws -> WorkerReport {
        try await call(.GET, "/v1/workers/\(FarmClient.escaped(id))", as: WorkerReport.self)
    }

    // MARK: Tenants and tokens

    public func tenants() async throws -> Listing<Tenant> {
        try await call(.GET, "/v1/tenants", as: Listing<Tenant>.self)
    }

    public func createTenant(_ tenant: NewTenant) async throws -> Tenant {
        try await call(.POST, "/v1/tenants", body: try FarmJSON.encode(tenant), repeatable: false, as: Tenant.self)
    }

    public func tokens() async throws -> Listing<Token> {
        try await call(.GET, "/v1/tokens", as: Listing<Token>.self)
    }

    /// The secret comes with it this once.
    public func createToken(_ token: NewToken) async throws -> IssuedToken {
        try await call(.POST, "/v1/tokens", body: try FarmJSON.encode(token), repeatable: false, as: IssuedToken.self)
    }

    public func revokeToken(_ id: Int64) async throws {
        _ = try await exchange(.DELETE, "/v1/tokens/\(id)", repeatable: false)
    }
}
