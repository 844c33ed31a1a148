import Coordinator
import Dashboard
import FarmAPI
import Hummingbird

/// The overview, workers and dead letters.
extension DashboardRoutes {
    /// How many of the newest exports the overview has.
    private static let newest = 10

    func overview(_ asked: DashboardRequest) async throws -> Response {
        async let queues = asked.routes.get(Listing<QueueStatus>.self, "queues")
        async let history = history(asked)
        async let workers = workers(asked)
        async let readiness = service.observer.readiness()
        async let tenants = tenantNames(asked)
        let newest = try await asked.routes.get(
            Listing<Export>.self, "exports", query: [("limit", "\(DashboardRoutes.newest)")])
        return asked.answer(
            OverviewPage(
                viewer: asked.viewer, queues: try await queues.items, history: try await history, workers: try await workers,
                readiness: await readiness.0, newest: newest.items, tenants: try await tenants, notice: try asked.notice()))
    }

    /// What ended in the last hour. The rest of the page is shown where the database takes too long to count it.
    private func history(_ asked: DashboardRequest) async throws -> [QueueHistory] {
        do {
            return try await asked.routes.get(Listing<QueueHistory>.self, "queues", "history").items
        } catch let fault as RequestFault where fault.code == .unavailable {
            return []
        }
    }

    /// All workers; nil where the queue cannot be reached.
    private func workers(_ asked: DashboardRequest) async throws -> [WorkerReport]? {
        do {
            return try await asked.routes.get(Listing<WorkerReport>.self, "workers", query: [("limit", "1000")]).items
        } catch let error where RequestFault(error)?.code == .unavailable {
            return nil
        }
    }

    func addFarm(to pages: DashboardPages) {
        for (action, notice) in [("pause", Notice.queuePaused), ("resume", .queueResumed)] {
            pages.post(RouterPath("/ui/queues/:role/\(action)")) { asked in
                try await asked.routes.change(.post, "queues", try asked.part("role"), action, once: try asked.once())
                return DashboardFrame.redirect(Address(query: [("did", notice.rawValue)]))
            }
        }
        pages.get("/ui/workers") { asked in
            let cursor = try asked.query("cursor")
            let workers = try await asked.routes.get(
                Listing<WorkerReport>.self, "workers", query: [("limit", "60"), ("cursor", cursor)])
            return asked.answer(
                WorkersPage(
                    viewer: asked.viewer, workers: workers.items, cursor: cursor, next: workers.next, notice: try asked.notice()))
        }
        for (action, notice) in [("drain", Notice.draining), ("resume", .resumed)] {
            pages.post(RouterPath("/ui/workers/:id/\(action)")) { asked in
                try await asked.routes.change(.post, "workers", try asked.part("id"), action, once: try asked.once())
                return asked.done(notice, "ui", "workers")
            }
        }
        pages.get("/ui/dead-letters") { asked in
            let cursor = try asked.query("cursor")
            let letters = try await asked.routes.get(
                Listing<DeadLetter>.self, "dead-letters", query: [("limit", "50"), ("cursor", cursor)])
            return asked.answer(
                DeadLettersPage(
                    viewer: asked.viewer, letters: letters.items, cursor: cursor, next: letters.next, notice: try asked.notice()))
        }
        pages.post("/ui/dead-letters/:id/retry") { asked in
            try await asked.routes.change(.post, "jobs", try asked.part("id"), "retry", once: try asked.once())
            return asked.done(.retried, "ui", "dead-letters")
        }
        pages.post("/ui/dead-letters/:id/discard") { asked in
            try await asked.routes.change(.delete, "dead-letters", try asked.part("id"))
            return asked.done(.discarded, "ui", "dead-letters")
        }
    }
}
