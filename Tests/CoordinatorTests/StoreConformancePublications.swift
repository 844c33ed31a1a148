import Coordinator
import ExportPlan
import FarmAPI
import Testing
import FoundationEssentials

@Suite("Every store: films on their way to destinations")
struct StoreConformancePublications {
    /// A completed export that names a destination.
    private func completed(_ farm: StoreFixture, _ destination: String? = "archive") async throws -> ExportID {
        let settings = destination.map { ["destination": $0] } ?? [:]
        let request = ExportRequest(.document("{}"), label: "film", settings: settings)
        let id = try await farm.store.submit(request, id: ExportID(), tenant: farm.tenant, idempotency: nil).export.id
        try await farm.store.startProbing(id, jobs: [])
        let film = SampleFilm()
        try await farm.store.startRendering(
            id, PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount))
        try await farm.work()
        #expect(try await farm.state(id) == .completed)
        return id
    }

    private func due(_ farm: StoreFixture, at time: Date? = nil, underWay: Set<ExportID> = []) async throws -> [OutgoingFilm] {
        try await farm.store.duePublications(at: time ?? farm.now, underWay: underWay, limit: 100)
    }

    @Test("The film of a completed export is queued if it names a destination", arguments: StoreKind.allCases)
    func queued(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await completed(farm)
            let other = try await completed(farm, nil)
            let film = try #require(try await due(farm).first)
            let export = try await farm.export(id)
            #expect(film.export == id && film.number == export.number && film.label == "film" && film.tenantName == "studio")
            #expect(film.destination == "archive" && film.film == export.filmKey && film.frameCount == export.frameCount)
            #expect(try await due(farm).count == 1)
            #expect(try await due(farm, underWay: [id]).isEmpty)
            let publication = try #require(export.publication)
            #expect(publication.state == .pending && publication.attempts == 0 && publication.dueAt != nil)
            #expect(try await farm.export(other).publication == nil)
            #expect(try await !farm.store.republish(other, tenant: nil))
        }
    }

    @Test("A film that is still to be sent is not removed, and a removed one is not sent", arguments: StoreKind.allCases)
    func removed(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await completed(farm)
            await expectRefusal(.conflict, saying: "the film of export \(id) is still to be sent to its destination") {
                try await farm.store.removeFilm(of: id)
            }
            let film = try #require(try await due(farm).first)
            try await farm.store.record(.published([]), of: film, at: farm.now)
            try await farm.store.removeFilm(of: id)
            #expect(try await !farm.store.republish(id, tenant: nil))
            #expect(try await due(farm).isEmpty)
            #expect(try await farm.export(id).publication?.state == .published)
        }
    }

    @Test("An attempt is recorded, and its end is told to webhooks after that of the export", arguments: StoreKind.allCases)
    func recorded(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let wanted = NewWebhook(
                address: "https://example.com/", events: [.completed, .published, .publishFailed])
            let webhook = try await farm.store.createWebhook(
                wanted, secret: StoreConformanceWebhooks.secret, tenant: farm.tenant
            ).id
            let id = try await completed(farm)
            let film = try #require(try await due(farm).first)
            let later = farm.now + 100
            try await farm.store.record(.retry(at: later, message: "away"), of: film, at: farm.now)
            #expect(try await due(farm).isEmpty)
            #expect(try await farm.export(id).publication?.message == "away")
            let next = try #require(try await farm.store.nextPublication(after: farm.now))
            #expect(abs(next.timeIntervalSince(later)) < 0.01)
            let again = try #require(try await due(farm, at: later + 1).first)
            #expect(again.attempts == 1)
            let file = Publication.File(address: "s3://films/a.mp4", byteCount: 5_000_000_000, sha256: "ab")
            try await farm.store.record(.published([file]), of: again, at: later + 2)
            let publication = try #require(try await farm.export(id).publication)
            #expect(publication.state == .published && publication.files == [file] && publication.attempts == 2)
            #expect(publication.message == nil && publication.dueAt == nil && publication.endedAt != nil)
            // What comes late changes nothing.
            try await farm.store.record(.failed(message: "late"), of: again, at: later + 3)
            #expect(try await farm.export(id).publication == publication)
            let told = try await farm.store.deliveries(of: webhook, state: nil, before: nil, limit: 10).reversed()
            #expect(told.map(\.event) == [.completed, .published])
            let first = try await farm.store.dueDeliveries(at: later + 10, perWebhook: 10, underWay: [:], limit: 10)
            #expect(first.map(\.event) == [.completed])
            try await farm.store.record(
                WebhookAttempt(at: later + 10, status: 200, message: ""), at: first[0], .delivered)
            let second = try await farm.store.dueDeliveries(at: later + 11, perWebhook: 10, underWay: [:], limit: 10)
            let message = try FarmJSON.decode(WebhookMessage.self, from: try #require(second.first).body())
            #expect(message.data.export?.id == id && message.data.publication?.files == [file])
            // Sent again, it is pending, and fails for good.
            let other = try await farm.store.createTenant("other", weight: 1).id
            #expect(try await !farm.store.republish(id, tenant: other))
            #expect(try await farm.store.republish(id, tenant: farm.tenant))
            let repeated = try #require(try await due(farm).first)
            #expect(repeated.attempts == 0)
            try await farm.store.record(.failed(message: "refused"), of: repeated, at: farm.now)
            let failed = try #require(try await farm.export(id).publication)
            #expect(failed.state == .failed && failed.message == "refused")
            #expect(
                try await farm.store.deliveries(of: webhook, state: nil, before: nil, limit: 10).first?.event == .publishFailed)
        }
    }
}
