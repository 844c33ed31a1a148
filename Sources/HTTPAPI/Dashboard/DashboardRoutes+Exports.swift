import Coordinator
import Dashboard
import FarmAPI
import HTTPTypes
import Hummingbird
import FoundationEssentials

/// The pages of exports and their jobs, and what is done to them.
extension DashboardRoutes {
    func addExports(to pages: DashboardPages) {
        pages.get("/ui/exports", use: exports)
        pages.post("/ui/exports/selection", use: changeSelection)
        pages.get("/ui/exports/:id", use: export)
        pages.post("/ui/exports/:id/cancel") { asked in try await change(asked, "cancel", .cancelled) }
        pages.post("/ui/exports/:id/publish") { asked in try await change(asked, "publish", .published) }
        pages.post("/ui/exports/:id/retry") { asked in
            let id = try asked.part("id")
            let lines = try await retryOrCancel("retry", [try ExportID(checking: id)], asked)
            guard let line = lines.first, !line.isDone else { return asked.done(.retried, "ui", "exports", id) }
            throw RequestFault(line.state == nil ? .notFound : .conflict, line.message)
        }
        pages.post("/ui/exports/:id/rerun") { asked in
            let again = try await rerun(try asked.part("id"), asked)
            return asked.done(.rerun, "ui", "exports", again.id.text)
        }
        pages.post("/ui/exports/:id/priority") { asked in
            let id = try asked.part("id")
            try await setPriority(id, asked)
            return asked.done(.priority, "ui", "exports", id)
        }
        pages.post("/ui/exports/:id/remove") { asked in
            try await asked.routes.change(.delete, "exports", try asked.part("id"))
            return asked.done(.removed, "ui", "exports")
        }
        pages.get("/ui/exports/:id/events", use: events)
        pages.get("/ui/exports/:id/film") { asked in try await file(asked, "film") }
        pages.get("/ui/exports/:id/pictures/:name") { asked in try await file(asked, "pictures", try asked.part("name")) }
        pages.get("/ui/exports/:id/stream/:name") { asked in try await file(asked, "stream", try asked.part("name")) }
        pages.get("/ui/jobs/:id", use: job)
        pages.post("/ui/jobs/:id/retry") { asked in
            let id = try asked.part("id")
            try await asked.routes.change(.post, "jobs", id, "retry", once: try asked.once())
            return asked.done(.retried, "ui", "jobs", id)
        }
    }

    // MARK: Lists

    private func exports(_ asked: DashboardRequest) async throws -> Response {
        let limit = try asked.query("limit").flatMap { Int($0) }.flatMap { ExportQuery.limits.contains($0) ? $0 : nil } ?? 50
        let query = ExportQuery(
            label: try asked.query("label"), state: try asked.query("state", ExportState.self), tag: try asked.query("tag"),
            batch: try asked.query("batch"), order: try asked.query("order", ExportOrder.self) ?? .newest, limit: limit,
            cursor: try asked.query("cursor"))
        async let listing = asked.routes.get(
            Listing<Export>.self, "exports",
            query: [
                ("label", query.label), ("state", query.state?.rawValue), ("tag", query.tag), ("batch", query.batch),
                ("order", query.order.rawValue), ("limit", "\(limit)"), ("cursor", query.cursor),
            ])
        let tenants = try await tenantNames(asked)
        let found = try await listing
        return asked.answer(
            ExportsPage(viewer: asked.viewer, query: query, exports: found.items, next: found.next, tenants: tenants))
    }

    /// The names of tenants by their numbers; none for a tenant, who sees itself only.
    func tenantNames(_ asked: DashboardRequest) async throws -> [Int64: String] {
        guard asked.viewer.isOperator else { return [:] }
        let tenants = try await asked.routes.get(Listing<Tenant>.self, "tenants", query: [("limit", "1000")]).items
        return Dictionary(tenants.map { ($0.id, $0.name) }) { first, _ in first }
    }

    // MARK: One export

    /// How many jobs and events a page shows.
    private static let jobLimit = 1000
    private static let eventLimit = 500

    private func export(_ asked: DashboardRequest) async throws -> Response {
        let id = try asked.part("id")
        // A caller that may not see the export learns nothing of its jobs and events.
        let export = try await asked.routes.get(Export.self, "exports", id)
        async let jobs = asked.routes.get(
            Listing<Job>.self, "jobs", query: [("export", id), ("limit", "\(DashboardRoutes.jobLimit)")])
        async let why = why("exports", id, isOver: export.state.isTerminal, asked)
        async let failed = failedJob(of: export, asked)
        let events = try await newestEvents(of: export.id)
        let listed = try await jobs
        return asked.answer(
            ExportPage(
                viewer: asked.viewer, export: export, jobs: listed.items, hasMoreJobs: listed.next != nil, why: try await why,
                events: events, failedJob: try await failed, notice: try asked.notice()))
    }

    private func why(_ kind: String, _ id: String, isOver: Bool, _ asked: DashboardRequest) async throws -> WaitReport? {
        isOver ? nil : try await asked.routes.get(WaitReport.self, kind, id, "why")
    }

    /// The job that failed, whose log says most about it; nil where it is gone.
    private func failedJob(of export: Export, _ asked: DashboardRequest) async throws -> JobDetail? {
        guard let job = export.failure?.job else { return nil }
        do {
            return try await asked.routes.get(JobDetail.self, "jobs", "\(job)")
        } catch let fault as RequestFault where fault.code == .notFound {
            return nil
        }
    }

    private func newestEvents(of id: ExportID) async throws -> [ExportEvent] {
        var events: [ExportEvent] = []
        while events.count < 4 * DashboardRoutes.eventLimit {
            let page = try await service.store.events(
                of: id, after: events.last?.id ?? 0, limit: DashboardRoutes.eventLimit)
            events += page
            if page.count < DashboardRoutes.eventLimit { break }
        }
        return events.suffix(DashboardRoutes.eventLimit)
    }

    private func job(_ asked: DashboardRequest) async throws -> Response {
        let id = try asked.part("id")
        let detail = try await asked.routes.get(JobDetail.self, "jobs", id)
        let why = try await why("jobs", id, isOver: detail.job.state.isTerminal, asked)
        return asked.answer(JobPage(viewer: asked.viewer, detail: detail, why: why, notice: try asked.notice()))
    }

    // MARK: Files and events

    /// Follows an export. A browser that connects anew names the last event that it has; the first time, the page does.
    private func events(_ asked: DashboardRequest) async throws -> Response {
        let last = try asked.request.headers[.lastEventID] ?? asked.query("after")
        var headers: HTTPFields = [:]
        if let last, Int64(last) != nil { headers[.lastEventID] = last }
        return try await asked.routes.send(.get, ["exports", try asked.part("id"), "events"], headers: headers)
    }

    private func file(_ asked: DashboardRequest, _ kind: String, _ name: String? = nil) async throws -> Response {
        var headers: HTTPFields = [:]
        for field in [HTTPField.Name.range, .ifRange, .ifMatch, .ifNoneMatch] {
            headers[field] = asked.request.headers[field]
        }
        var response = try await asked.routes.send(
            .get, ["exports", try asked.part("id"), kind] + (name.map { [$0] } ?? []), headers: headers)
        // A browser may keep the bytes, and asks each time whether they are still those of this session's export.
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }

    // MARK: Actions

    private func change(_ asked: DashboardRequest, _ action: String, _ notice: Notice) async throws -> Response {
        let id = try asked.part("id")
        try await asked.routes.change(.post, "exports", id, action, once: try asked.once())
        return asked.done(notice, "ui", "exports", id)
    }

    private func rerun(_ id: String, _ asked: DashboardRequest) async throws -> Export {
        try FarmJSON.decode(
            Export.self, from: try await asked.routes.change(.post, "exports", id, "rerun", once: try asked.once()))
    }

    @discardableResult
    private func setPriority(_ id: String, _ asked: DashboardRequest) async throws -> Export {
        guard let priority = try asked.form().integer("priority", Int.self) else {
            throw RequestFault(.badRequest, "a priority is -100...100")
        }
        return try FarmJSON.decode(
            Export.self, from: try await asked.routes.change(.patch, "exports", id, body: ExportChange(priority: priority)))
    }

    private func retryOrCancel(
        _ action: String, _ ids: [ExportID], _ asked: DashboardRequest
    ) async throws -> [SelectionPage.Line] {
        let outcome = try FarmJSON.decode(
            SelectionOutcome.self,
            from: try await asked.routes.change(
                .post, "exports", action, once: try asked.once(), body: ExportSelection(ids)))
        let done = action == "cancel" ? "is cancelled" : "goes on with the jobs that failed"
        return outcome.items.map { SelectionPage.Line($0.id, state: $0.state, $0.fault ?? done, isDone: $0.fault == nil) }
    }

    private func changeSelection(_ asked: DashboardRequest) async throws -> Response {
        let form = try asked.form()
        let ids = try form.values("export").map { try ExportID(checking: $0) }
        guard (1...ExportSelection.limit).contains(ids.count) else {
            throw RequestFault(.badRequest, "choose 1...\(ExportSelection.limit) exports, not \(ids.count)")
        }
        let lines: [SelectionPage.Line]
        switch form["action"] {
        case "cancel"?: lines = try await retryOrCancel("cancel", ids, asked)
        case "retry"?: lines = try await retryOrCancel("retry", ids, asked)
        case "rerun"?:
            lines = try await each(ids) { id in
                let again = try await rerun(id.text, asked)
                return SelectionPage.Line(id, state: nil, "runs again as", isDone: true, made: again.id)
            }
        case "priority"?:
            lines = try await each(ids) { id in
                let export = try await setPriority(id.text, asked)
                return SelectionPage.Line(id, state: export.state, "has the priority \(export.priority)", isDone: true)
            }
        default: throw RequestFault(.badRequest, "choose what is to be done with the exports")
        }
        return asked.answer(SelectionPage(lines))
    }

    /// Does something to each export. What cannot be done to one of them does not stop the others.
    private func each(
        _ ids: [ExportID], _ action: (ExportID) async throws -> SelectionPage.Line
    ) async throws -> [SelectionPage.Line] {
        var lines: [SelectionPage.Line] = []
        for id in ids {
            do {
                lines.append(try await action(id))
            } catch {
                let kinds: [FaultCode] = [.notFound, .conflict, .forbidden, .invalid, .tooManyRequests, .badRequest]
                guard let fault = RequestFault(error), kinds.contains(fault.code) else { throw error }
                lines.append(SelectionPage.Line(id, state: nil, fault.message, isDone: false))
            }
        }
        return lines
    }
}
