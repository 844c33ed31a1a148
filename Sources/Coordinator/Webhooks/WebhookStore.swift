package import FarmAPI
package import FoundationEssentials

/// Webhooks, and the deliveries that wait for their receivers.
///
/// The transaction that ends an export adds its deliveries. Deliveries about one export go to one webhook in the order of
/// the events, so that only the first of them that is pending may be sent.
package protocol WebhookStore: Sendable {
    /// - Parameter wanted: has been checked (`WebhookCheck`).
    /// - Throws: `FarmError` `conflict` when the tenant has as many as it may have.
    func createWebhook(_ wanted: NewWebhook, secret: String, tenant: Int64) async throws -> Webhook
    /// In the order of their ids.
    /// - Parameter tenant: nil for the operator, who sees all; here and below.
    func webhooks(tenant: Int64?) async throws -> [Webhook]
    func webhook(_ id: Int64, tenant: Int64?) async throws -> Webhook?
    /// A webhook that is disabled ends its pending deliveries as `failed`; one that is enabled has not failed yet.
    /// - Returns: nil where there is no such webhook; here and below.
    func changeWebhook(_ id: Int64, _ change: WebhookChange, tenant: Int64?) async throws -> Webhook?
    /// - Returns: false when there is no such webhook.
    func removeWebhook(_ id: Int64, tenant: Int64?) async throws -> Bool
    /// Replaces the secret. The one before stays valid for some seconds more; one before that is valid no longer.
    func rotateSecret(of id: Int64, to secret: String, overlap: TimeInterval, tenant: Int64?) async throws -> Webhook?
    /// Queues a test.
    /// - Throws: `FarmError` `conflict` when the webhook is disabled.
    func testWebhook(_ id: Int64, tenant: Int64?) async throws -> WebhookDelivery?
    /// Newest first.
    /// - Parameter delivery: only deliveries that are older than this one; nil for the newest.
    func deliveries(
        of webhook: Int64, state: WebhookDeliveryState?, before delivery: Int64?, limit: Int
    ) async throws -> [WebhookDelivery]
    /// Sends a delivery again, or now where it is pending, as if it had not been sent yet, with the same id.
    /// - Throws: `FarmError` `conflict` when the webhook is disabled.
    func redeliver(_ delivery: Int64, of webhook: Int64) async throws -> WebhookDelivery?

    // For the leader:

    /// Deliveries that may be sent now, those to webhooks that work first, and then the longest due.
    /// - Parameters:
    ///   - perWebhook: how many deliveries of one webhook may be under way; only one where its last attempt failed.
    ///   - underWay: the deliveries that are being sent, with their webhooks.
    func dueDeliveries(
        at now: Date, perWebhook: Int, underWay: [Int64: Int64], limit: Int
    ) async throws -> [OutgoingDelivery]
    /// When the next delivery is due; nil where none is pending.
    func nextDelivery(after now: Date) async throws -> Date?
    /// Records an attempt. A delivery that is not pending any more stays as it is.
    func record(_ attempt: WebhookAttempt, at delivery: OutgoingDelivery, _ outcome: WebhookOutcome) async throws
    /// Adds deliveries of `export.progress` for exports that have reached another step since jobs of theirs finished.
    /// One that is pending and not under way is dropped for a newer one.
    /// - Parameter since: exports are looked at if a job of theirs has finished at this time or later.
    /// - Returns: how many were added.
    func addProgress(since: Date, at now: Date, underWay: [Int64: Int64]) async throws -> Int
}

/// A delivery with what is needed to send it.
package struct OutgoingDelivery: Hashable, Sendable {
    package var id: Int64
    package var webhook: Int64
    package var export: ExportID?
    package var event: WebhookEvent
    package var messageID: String
    /// `WebhookMessage.Content` in JSON as the store keeps it.
    package var content: String
    package var attempts: Int
    /// When the event happened.
    package var createdAt: Date
    package var queuedAt: Date
    package var address: String
    package var secret: String
    /// The secret before the last rotation, while it is valid.
    package var formerSecret: String?
    /// When the webhook's first attempt failed since the last success.
    package var failingSince: Date?

    package init(
        id: Int64, webhook: Int64, export: ExportID?, event: WebhookEvent, messageID: String, content: String, attempts: Int,
        createdAt: Date, queuedAt: Date, address: String, secret: String, formerSecret: String?, failingSince: Date?
    ) {
        self.id = id
        self.webhook = webhook
        self.export = export
        self.event = event
        self.messageID = messageID
        self.content = content
        self.attempts = attempts
        self.createdAt = createdAt
        self.queuedAt = queuedAt
        self.address = address
        self.secret = secret
        self.formerSecret = formerSecret
        self.failingSince = failingSince
    }

    /// The message as the receiver gets it: the same bytes in each attempt.
    /// - Throws: `DecodingError` where another version stored it in another form.
    package func body() throws -> Data {
        let content = try JSONDecoder().decode(WebhookMessage.Content.self, from: Data(self.content.utf8))
        return try FarmJSON.encode(WebhookMessage(type: event, timestamp: createdAt, data: content))
    }
}

/// What a webhook's record says where it was disabled by a person.
package enum WebhookReason {
    package static let disabledByClient = "disabled by request"

    /// What a delivery's record says that was not sent because of that.
    static func notSent(_ reason: String) -> String { "the webhook was disabled: \(reason)" }
}
