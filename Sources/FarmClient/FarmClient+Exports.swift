package import FarmAPI
import FoundationEssentials

/// Exports and their jobs.
extension FarmClient {
    /// - Parameter key: the idempotency key. The same key and submission give the same export, so the call may be
    ///   repeated.
    package func submit(_ submission: ExportSubmission, key: String) async throws -> Export {
        try await call(
            "POST", "/v1/exports", body: try submission.body(), headers: [("Idempotency-Key", key)], as: Export.self)
    }

    package func export(_ id: ExportID) async throws -> Export {
        try await call("GET", "/v1/exports/\(id)", as: Export.self)
    }

    /// The exports, newest first.
    /// - Parameter limit: 1...1000.
    package func exports(state: ExportState? = nil, limit: Int? = nil) async throws -> Listing<Export> {
        try await exports(ExportFilter(state: state), limit: limit)
    }

    /// The exports that a filter does not leave out, newest first.
    /// - Parameter limit: 1...1000.
    package func exports(_ filter: ExportFilter, limit: Int? = nil) async throws -> Listing<Export> {
        let query = try FarmClient.query(filter) + [("limit", limit.map(String.init))]
        return try await call("GET", "/v1/exports", query: query, as: Listing<Export>.self)
    }

    /// The exports that a filter does not leave out and that match, newest first.
    /// - Parameters:
    ///   - limit: how many are listed at most; nil for all that match.
    ///   - matches: nil where all do.
    package func exports(
        _ filter: ExportFilter, limit: Int?, where matches: ((Export) -> Bool)?
    ) async throws -> Listing<Export> {
        try await listing("/v1/exports", query: FarmClient.query(filter), limit: limit, of: Export.self, where: matches)
    }

    private static func query(_ filter: ExportFilter) throws -> [(String, String?)] {
        var query = [("state", filter.state?.rawValue), ("batch", filter.batch?.text)]
        query += filter.tags.sorted { $0.key < $1.key }.map { ("tag", "\($0.key)=\($0.value)") }
        if let metadata = filter.metadata {
            query.append(("metadata", String(decoding: try FarmJSON.encode(metadata), as: UTF8.self)))
        }
        return query
    }

    /// Cancels many exports.
    package func cancel(_ ids: [ExportID]) async throws -> [SelectionOutcome.Item] {
        var items: [SelectionOutcome.Item] = []
        var rest = ids[...]
        while !rest.isEmpty {
            // Each of them is a transaction, and a request has a time limit.
            let some = Array(rest.prefix(min(100, ExportSelection.limit)))
            rest = rest.dropFirst(some.count)
            let body = try FarmJSON.encode(ExportSelection(some))
            items += try await call("POST", "/v1/exports/cancel", body: body, as: SelectionOutcome.self).items
        }
        return items
    }

    package func cancel(_ id: ExportID) async throws -> Export {
        try await call("POST", "/v1/exports/\(id)/cancel", repeatable: false, as: Export.self)
    }

    /// Submits the same draft and settings again as a new export.
    package func rerun(_ id: ExportID, key: String) async throws -> Export {
        try await call("POST", "/v1/exports/\(id)/rerun", headers: [("Idempotency-Key", key)], as: Export.self)
    }

    /// Removes exports that have ended.
    package func removeExport(_ id: ExportID) async throws {
        _ = try await exchange("DELETE", "/v1/exports/\(id)", repeatable: false)
    }

    /// Removes the film of an export, which stays listed.
    package func removeFilm(of id: ExportID) async throws {
        _ = try await exchange("DELETE", "/v1/exports/\(id)/film", repeatable: false)
    }

    /// Gives an export another priority.
    package func setPriority(_ priority: Int, of id: ExportID) async throws -> Export {
        let body = try FarmJSON.encode(ExportChange(priority: priority))
        return try await call("PATCH", "/v1/exports/\(id)", body: body, as: Export.self)
    }

    // MARK: Jobs

    package func jobs(
        export: ExportID? = nil, state: JobState? = nil, role: String? = nil, limit: Int? = nil
    ) async throws -> Listing<Job> {
        let query = [
            ("export", export?.text), ("state", state?.rawValue), ("role", role), ("limit", limit.map(String.init)),
        ]
        return try await call("GET", "/v1/jobs", query: query, as: Listing<Job>.self)
    }

    /// The jobs that match, in the order in which they were planned.
    /// - Parameters:
    ///   - filter: its `tenant`, `after` and `limit` do not count.
    ///   - limit: how many are listed at most; nil for all that match.
    ///   - matches: nil where all do.
    package func jobs(_ filter: JobFilter, limit: Int?, where matches: ((Job) -> Bool)?) async throws -> Listing<Job> {
        let query = [
            ("export", filter.export?.text), ("state", filter.state?.rawValue), ("role", filter.role?.rawValue),
        ]
        return try await listing("/v1/jobs", query: query, limit: limit, of: Job.self, where: matches)
    }

    /// Jobs that failed for good as crashes.
    /// - Parameter limit: how many are listed at most, 1...1000; nil for all.
    package func deadLetters(limit: Int?) async throws -> Listing<DeadLetter> {
        guard let limit else { return try await all("/v1/dead-letters", of: DeadLetter.self) }
        return try await call("GET", "/v1/dead-letters", query: [("limit", "\(limit)")], as: Listing<DeadLetter>.self)
    }

    package func discardDeadLetter(_ job: Int64) async throws {
        _ = try await exchange("DELETE", "/v1/dead-letters/\(job)", repeatable: false)
    }

    package func job(_ id: Int64) async throws -> JobDetail {
        try await call("GET", "/v1/jobs/\(id)", as: JobDetail.self)
    }

    /// Asks for the reasons for which a job is not done yet.
    package func why(job id: Int64) async throws -> WaitReport {
        try await call("GET", "/v1/jobs/\(id)/why", as: WaitReport.self)
    }

    /// Asks for the reasons for which an export is not done yet.
    package func why(export id: ExportID) async throws -> WaitReport {
        try await call("GET", "/v1/exports/\(id.text)/why", as: WaitReport.self)
    }

    package func retry(_ job: Int64) async throws -> JobDetail {
        try await call("POST", "/v1/jobs/\(job)/retry", repeatable: false, as: JobDetail.self)
    }
}
