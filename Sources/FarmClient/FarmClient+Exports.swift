public import Coordinator
public import FarmAPI
import NIOHTTP1

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Exports, and what happens to them.
extension FarmClient {
    /// - Parameter key: the same key and submission again give the same export, so it may be repeated.
    public func submit(_ submission: ExportSubmission, key: String) async throws -> Export {
        try await call(
            .POST, "/v1/exports", body: try submission.body(), headers: ["Idempotency-Key": key], as: Export.self)
    }

    public func export(_ id: ExportID) async throws -> Export {
        try await call(.GET, "/v1/exports/\(id)", as: Export.self)
    }

    /// Newest first.
    /// - Parameter limit: 1...1000.
    public func exports(state: ExportState? = nil, limit: Int? = nil) async throws -> Listing<Export> {
        let query = [("state", state?.rawValue), ("limit", limit.map(String.init))]
        return try await call(.GET, "/v1/exports", query: query, as: Listing<Export>.self)
    }

    public func cancel(_ id: ExportID) async throws -> Export {
        try await call(.POST, "/v1/exports/\(id)/cancel", repeatable: false, as: Export.self)
    }

    /// The same again as a new export.
    public func rerun(_ id: ExportID, key: String) async throws -> Export {
        try await call(.POST, "/v1/exports/\(id)/rerun", headers: ["Idempotency-Key": key], as: Export.self)
    }

    // MARK: Jobs

    public func jobs(
        export: ExportID? = nil, state: JobState? = nil, role: String? = nil, limit: Int? = nil
    ) async throws -> Listing<Job> {
        let query = [
            ("export", export?.text), ("state", state?.rawValue), ("role", role), ("limit", limit.map(String.init)),
        ]
        return try await call(.GET, "/v1/jobs", query: query, as: Listing<Job>.self)
    }

    public func job(_ id: Int64) async throws -> JobDetail {
        try await call(.GET, "/v1/jobs/\(id)", as: JobDetail.self)
    }

    public func retry(_ job: Int64) async throws -> JobDetail {
        try await call(.POST, "/v1/jobs/\(job)/retry", repeatable: false, as: JobDetail.self)
    }
}
