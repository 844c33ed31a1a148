/// The body that creates a webhook.
package struct NewWebhook: StrictBody, Hashable {
    package var address: String
    /// What it is for, for people; by default nothing.
    package var label: String?
    /// By default `WebhookEvent.usual`.
    package var events: [WebhookEvent]?
    /// In percent; by default `Webhook.usualProgressStep`.
    package var progressStep: Int?
    /// A secret that the client has made; by default the farm makes one.
    package var secret: String?

    package init(
        address: String, label: String? = nil, events: [WebhookEvent]? = nil, progressStep: Int? = nil, secret: String? = nil
    ) {
        self.address = address
        self.label = label
        self.events = events
        self.progressStep = progressStep
        self.secret = secret
    }

    package static let fields: Set<String> = ["address", "label", "events", "progressStep", "secret"]
}

/// The body that changes a webhook. What it leaves out stays as it is.
package struct WebhookChange: StrictBody, Hashable {
    package var address: String?
    package var label: String?
    package var events: [WebhookEvent]?
    package var progressStep: Int?
    package var isEnabled: Bool?

    package init(
        address: String? = nil, label: String? = nil, events: [WebhookEvent]? = nil, progressStep: Int? = nil,
        isEnabled: Bool? = nil
    ) {
        self.address = address
        self.label = label
        self.events = events
        self.progressStep = progressStep
        self.isEnabled = isEnabled
    }

    package static let fields: Set<String> = ["address", "label", "events", "progressStep", "isEnabled"]
}

/// A webhook with its secret, which only the answer that makes the secret has.
package struct IssuedWebhook: Hashable, Sendable, Codable {
    package var webhook: Webhook
    /// `whsec_` and base64.
    package var secret: String

    package init(_ webhook: Webhook, secret: String) {
        self.webhook = webhook
        self.secret = secret
    }
}
