import Coordinator
import FarmAPI
import FoundationEssentials

/// Webhooks, which simulated farms leave alone.
extension FaultyStore: WebhookStore {
    func createWebhook(_ wanted: NewWebhook, secret: String, tenant: Int64) async throws -> Webhook {
        try await write { try await $0.createWebhook(wanted, secret: secret, tenant: tenant) }
    }
    func webhooks(tenant: Int64?) async throws -> [Webhook] { try await read { await $0.webhooks(tenant: tenant) } }
    func webhook(_ id: Int64, tenant: Int64?) async throws -> Webhook? {
        try await read { await $0.webhook(id, tenant: tenant) }
    }
    func changeWebhook(_ id: Int64, _ change: WebhookChange, tenant: Int64?) async throws -> Webhook? {
        try await write { await $0.changeWebhook(id, change, tenant: tenant) }
    }
    func removeWebhook(_ id: Int64, tenant: Int64?) async throws -> Bool {
        try await write { await $0.removeWebhook(id, tenant: tenant) }
    }
    func rotateSecret(of id: Int64, to secret: String, overlap: TimeInterval, tenant: Int64?) async throws -> Webhook? {
        try await write { await $0.rotateSecret(of: id, to: secret, overlap: overlap, tenant: tenant) }
    }
    func testWebhook(_ id: Int64, tenant: Int64?) async throws -> WebhookDelivery? {
        try await write { try await $0.testWebhook(id, tenant: tenant) }
    }
    func deliveries(
        of webhook: Int64, state: WebhookDeliveryState?, before delivery: Int64?, limit: Int
    ) async throws -> [WebhookDelivery] {
        try await read { await $0.deliveries(of: webhook, state: state, before: delivery, limit: limit) }
    }
    func redeliver(_ delivery: Int64, of webhook: Int64) async throws -> WebhookDelivery? {
        try await write { try await $0.redeliver(delivery, of: webhook) }
    }
    func dueDeliveries(
        at now: Date, perWebhook: Int, underWay: [Int64: Int64], limit: Int
    ) async throws -> [OutgoingDelivery] {
        try await read { try await $0.dueDeliveries(at: now, perWebhook: perWebhook, underWay: underWay, limit: limit) }
    }
    func nextDelivery(after now: Date) async throws -> Date? { try await read { await $0.nextDelivery(after: now) } }
    func record(_ attempt: WebhookAttempt, at delivery: OutgoingDelivery, _ outcome: WebhookOutcome) async throws {
        try await write { await $0.record(attempt, at: delivery, outcome) }
    }
    func addProgress(since: Date, at now: Date, underWay: [Int64: Int64]) async throws -> Int {
        try await write { await $0.addProgress(since: since, at: now, underWay: underWay) }
    }
}

/// Films on their way to destinations, which simulated farms leave alone.
extension FaultyStore: PublicationStore {
    func republish(_ export: ExportID, tenant: Int64?) async throws -> Bool {
        try await write { await $0.republish(export, tenant: tenant) }
    }
    func duePublications(at now: Date, underWay: Set<ExportID>, limit: Int) async throws -> [OutgoingFilm] {
        try await read { await $0.duePublications(at: now, underWay: underWay, limit: limit) }
    }
    func nextPublication(after now: Date) async throws -> Date? { try await read { await $0.nextPublication(after: now) } }
    func record(_ outcome: PublicationOutcome, of film: OutgoingFilm, at now: Date) async throws {
        try await write { await $0.record(outcome, of: film, at: now) }
    }
}
