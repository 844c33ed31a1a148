import BlockingWork
import Coordinator
import Dashboard
import DraftModel
import FarmAPI
import HTTPTypes
import Hummingbird
import FoundationEssentials

/// Batches, and the drafts of the library.
extension DashboardRoutes {
    func addLibrary(to pages: DashboardPages) {
        pages.get("/ui/batches", use: batches)
        pages.get("/ui/batches/:id", use: batch)
        pages.get("/ui/batches/:id/manifest.csv") { asked in
            let id = try asked.part("id")
            var response = try await asked.routes.send(.get, ["batches", id, "results"], query: [("format", "csv")])
            response.headers[.contentDisposition] = "attachment; filename=\"batch-\(try BatchID(checking: id).text).csv\""
            return response
        }
        for (action, notice) in [("cancel", Notice.cancelled), ("rerun", .rowsRerun)] {
            pages.post(RouterPath("/ui/batches/:id/\(action)")) { asked in
                let id = try asked.part("id")
                try await asked.routes.change(.post, "batches", id, action, once: try asked.once())
                return asked.done(notice, "ui", "batches", id)
            }
        }
        pages.get("/ui/drafts") { asked in
            let cursor = try asked.query("cursor")
            let drafts = try await asked.routes.get(
                Listing<DraftRevision>.self, "drafts", query: [("limit", "100"), ("cursor", cursor)])
            return asked.answer(DraftsPage(viewer: asked.viewer, drafts: drafts.items, cursor: cursor, next: drafts.next))
        }
        pages.get("/ui/drafts/:name", use: draft)
        pages.get("/ui/drafts/:name/document") { asked in
            try await asked.routes.send(
                .get, ["drafts", try asked.part("name")], query: [("revision", try asked.query("revision"))])
        }
    }

    // MARK: Batches

    private func batches(_ asked: DashboardRequest) async throws -> Response {
        let (state, cursor) = (try asked.query("state", BatchState.self), try asked.query("cursor"))
        let batches = try await asked.routes.get(
            Listing<Batch>.self, "batches", query: [("state", state?.rawValue), ("limit", "50"), ("cursor", cursor)])
        return asked.answer(
            BatchesPage(viewer: asked.viewer, batches: batches.items, state: state, cursor: cursor, next: batches.next))
    }

    private func batch(_ asked: DashboardRequest) async throws -> Response {
        let id = try asked.part("id")
        let batch = try await asked.routes.get(Batch.self, "batches", id)
        let exports = try await asked.routes.get(
            Listing<Export>.self, "exports", query: [("batch", batch.id.text), ("limit", "20")])
        return asked.answer(
            BatchPage(viewer: asked.viewer, batch: batch, exports: exports.items, notice: try asked.notice()))
    }

    // MARK: Drafts

    private func draft(_ asked: DashboardRequest) async throws -> Response {
        let (name, cursor) = (try asked.part("name"), try asked.query("cursor"))
        let revisions = try await asked.routes.get(
            Listing<DraftRevisionReport>.self, "drafts", name, "revisions", query: [("limit", "30"), ("cursor", cursor)])
        let shown = try asked.query("revision").flatMap { Int($0) } ?? revisions.items.first?.revision ?? 1
        let document = try await self.document(name, revision: shown, asked)
        let against = try asked.query("against").flatMap { Int($0) } ?? shown - 1
        let earlier = try await earlierDocument(name, revision: against, asked)
        let (timeline, changes) = try await service.work.run(lane: asked.viewer.tenant) {
            // A revision of another version may have faults now; then there is no timeline.
            let draft = DraftReading(template: document).draft
            let changes = try earlier.map { try DraftDifference(from: $0, to: document).changes }
            return (draft.map { DraftTimeline($0) }, changes)
        }
        return asked.answer(
            DraftPage(
                viewer: asked.viewer, name: name, revision: shown, timeline: timeline,
                difference: changes.map { (against, $0) }, revisions: revisions.items, cursor: cursor, next: revisions.next))
    }

    private func document(_ name: String, revision: Int, _ asked: DashboardRequest) async throws -> Data {
        let response = try await asked.routes.send(.get, ["drafts", name], query: [("revision", "\(revision)")])
        return Data(try await response.collectedBody().readableBytesView)
    }

    /// The document of the revision that is compared with; nil where it is gone, and for the first revision.
    private func earlierDocument(_ name: String, revision: Int, _ asked: DashboardRequest) async throws -> Data? {
        guard revision >= 1 else { return nil }
        do {
            return try await document(name, revision: revision, asked)
        } catch let fault as RequestFault where fault.code == .notFound {
            return nil
        }
    }
}
