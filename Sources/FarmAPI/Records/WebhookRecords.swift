package import FoundationEssentials

/// What a webhook can be told of. The raw value is the `type` of the message (Standard Webhooks).
package enum WebhookEvent: String, CaseIterable, Hashable, Sendable, Codable {
    case completed = "export.completed"
    case failed = "export.failed"
    case cancelled = "export.cancelled"
    /// The export has reached another step of its progress.
    case progress = "export.progress"
    /// The film is at the destination that the export names.
    case published = "export.published"
    /// The film could not be sent there.
    case publishFailed = "export.publish_failed"
    /// The last export of a batch has ended.
    case batchEnded = "batch.ended"
    /// A test that a client asked for. Every webhook gets it.
    case test = "webhook.test"

    /// The events that a webhook can ask for.
    package static let choices = allCases.filter { $0 != .test }
    /// The events of a webhook that names none.
    package static let usual: [WebhookEvent] = [.completed, .failed, .cancelled]

    /// The event that the end of an export is; nil for a state that is no end.
    package init?(_ state: ExportState) {
        switch state {
        case .completed: self = .completed
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        case .submitted, .probing, .rendering: return nil
        }
    }
}

/// An address of a tenant that is told of events. Its secret is not part of it.
package struct Webhook: Hashable, Sendable, Codable {
    /// How many webhooks a tenant may have.
    package static let mostPerTenant = 20
    /// The steps of progress of a webhook that is created without, in percent.
    package static let usualProgressStep = 25

    package var id: Int64
    package var tenant: Int64
    package var address: String
    /// What it is for, for people.
    package var label: String
    package var events: [WebhookEvent]
    /// `export.progress` is sent when another multiple of this many percent is reached, 1...50.
    package var progressStep: Int
    /// Since when nothing is sent to it; nil while it is enabled.
    package var disabledAt: Date?
    /// Why nothing is sent to it.
    package var disabledReason: String?
    /// When the first of the attempts failed since the last success; nil while they succeed.
    package var failingSince: Date?
    /// Until when messages are also signed with the former secret; nil where there is none.
    package var formerSecretUntil: Date?
    package var createdAt: Date

    package var isEnabled: Bool { disabledAt == nil }

    package init(
        id: Int64, tenant: Int64, address: String, label: String, events: [WebhookEvent], progressStep: Int,
        disabledAt: Date? = nil, disabledReason: String? = nil, failingSince: Date? = nil, formerSecretUntil: Date? = nil,
        createdAt: Date
    ) {
        self.id = id
        self.tenant = tenant
        self.address = address
        self.label = label
        self.events = events
        self.progressStep = progressStep
        self.disabledAt = disabledAt
        self.disabledReason = disabledReason
        self.failingSince = failingSince
        self.formerSecretUntil = formerSecretUntil
        self.createdAt = createdAt
    }
}

package enum WebhookDeliveryState: String, CaseIterable, Hashable, Sendable, Codable {
    /// It is sent as soon as it is due.
    case pending
    /// The receiver has answered with a status of 200...299.
    case delivered
    /// It is not sent any more.
    case failed
}

/// One event for one webhook, and what became of it.
package struct WebhookDelivery: Hashable, Sendable, Codable {
    package var id: Int64
    package var webhook: Int64
    package var event: WebhookEvent
    /// nil for a test.
    package var export: ExportID?
    /// The `webhook-id` of all attempts, by which a receiver recognises a repetition.
    package var messageID: String
    package var state: WebhookDeliveryState
    /// How often it was sent since it was last queued.
    package var attempts: Int
    /// When the event happened.
    package var createdAt: Date
    /// Before this time it is not sent; nil once it has ended.
    package var dueAt: Date?
    package var attemptedAt: Date?
    package var endedAt: Date?
    /// The status of the last answer; nil where there was none.
    package var status: Int?
    /// What the last attempt led to, for people; nil before the first.
    package var message: String?

    package init(
        id: Int64, webhook: Int64, event: WebhookEvent, export: ExportID?, messageID: String, state: WebhookDeliveryState,
        attempts: Int = 0, createdAt: Date, dueAt: Date?, attemptedAt: Date? = nil, endedAt: Date? = nil, status: Int? = nil,
        message: String? = nil
    ) {
        self.id = id
        self.webhook = webhook
        self.event = event
        self.export = export
        self.messageID = messageID
        self.state = state
        self.attempts = attempts
        self.createdAt = createdAt
        self.dueAt = dueAt
        self.attemptedAt = attemptedAt
        self.endedAt = endedAt
        self.status = status
        self.message = message
    }
}
