package import FarmAPI
import FoundationEssentials

/// Webhooks and their deliveries, and films on their way to destinations.
extension FarmClient {
    /// Sends the film of an export to its destination again.
    package func publish(_ export: ExportID) async throws -> Export {
        try await call("POST", "/v1/exports/\(export)/publish", as: Export.self)
    }

    package func webhooks() async throws -> Listing<Webhook> {
        try await all("/v1/webhooks", of: Webhook.self)
    }

    package func webhook(_ id: Int64) async throws -> Webhook { try await call("GET", "/v1/webhooks/\(id)", as: Webhook.self) }

    /// Creates a webhook. Only this answer and that of a rotation contain the secret.
    package func createWebhook(_ webhook: NewWebhook) async throws -> IssuedWebhook {
        try await call("POST", "/v1/webhooks", body: try FarmJSON.encode(webhook), repeatable: false, as: IssuedWebhook.self)
    }

    package func changeWebhook(_ id: Int64, _ change: WebhookChange) async throws -> Webhook {
        try await call("PATCH", "/v1/webhooks/\(id)", body: try FarmJSON.encode(change), as: Webhook.self)
    }

    /// - Parameter overlap: how many seconds the former secret stays valid; nil for a day.
    package func rotateSecret(of id: Int64, overlap: Int?) async throws -> IssuedWebhook {
        try await call(
            "POST", "/v1/webhooks/\(id)/rotate", query: [("overlap", overlap.map(String.init))], repeatable: false,
            as: IssuedWebhook.self)
    }

    package func removeWebhook(_ id: Int64) async throws {
        _ = try await exchange("DELETE", "/v1/webhooks/\(id)", repeatable: false)
    }

    package func testWebhook(_ id: Int64) async throws -> WebhookDelivery {
        try await call("POST", "/v1/webhooks/\(id)/test", repeatable: false, as: WebhookDelivery.self)
    }

    /// Newest first.
    package func deliveries(
        of id: Int64, state: WebhookDeliveryState? = nil, limit: Int
    ) async throws -> Listing<WebhookDelivery> {
        let query = [("state", state?.rawValue), ("limit", "\(limit)")]
        return try await call("GET", "/v1/webhooks/\(id)/deliveries", query: query, as: Listing<WebhookDelivery>.self)
    }

    package func redeliver(_ delivery: Int64, of id: Int64) async throws -> WebhookDelivery {
        try await call("POST", "/v1/webhooks/\(id)/deliveries/\(delivery)/redeliver", as: WebhookDelivery.self)
    }
}
