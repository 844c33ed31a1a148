package import ExportPlan
package import FarmAPI

/// What clients may say about a webhook.
package enum WebhookCheck {
    /// Checks the body that creates a webhook.
    /// - Parameter receivers: the addresses that webhooks may have.
    /// - Throws: `RequestFault` `badRequest`.
    package static func new(_ wanted: NewWebhook, _ receivers: AddressList) throws {
        try address(wanted.address, receivers)
        try check(label: wanted.label, wanted.events, progressStep: wanted.progressStep)
        if let secret = wanted.secret, WebhookSecret(secret) == nil {
            throw RequestFault(
                .badRequest,
                "a secret is \(WebhookSecret.prefix) and \(WebhookSecret.sizes.lowerBound)...\(WebhookSecret.sizes.upperBound) "
                    + "bytes in base64; leave it out, and the farm makes one")
        }
    }

    /// Checks the body that changes a webhook.
    package static func change(_ wanted: WebhookChange, _ receivers: AddressList) throws {
        guard wanted != WebhookChange() else {
            throw RequestFault(.badRequest, "nothing is to change; give address, label, events, progressStep or isEnabled")
        }
        if let text = wanted.address { try address(text, receivers) }
        try check(label: wanted.label, wanted.events, progressStep: wanted.progressStep)
    }

    /// Why nothing may be sent to an address, as a sentence; nil where it may. It is asked when a webhook is created and
    /// before each attempt, because the farm's settings may change in between.
    package static func complaint(about address: String, _ receivers: AddressList) -> String? {
        let location: RemoteLocation
        do throws(RemoteLocation.Fault) {
            location = try RemoteLocation(address)
        } catch {
            return "the address \(error.message)"
        }
        guard location.scheme == .https || location.scheme == .http else {
            return "the address has to begin with https:// or http://"
        }
        guard !receivers.patterns.contains(where: { $0.matches(location) }) else { return nil }
        let allowed = receivers.patterns.map(\.description).joined(separator: ", ")
        return "'\(location.name)' is not among the addresses that this farm sends to (receiverAddresses): "
            + (allowed.isEmpty ? "there are none" : allowed)
    }

    private static func address(_ text: String, _ receivers: AddressList) throws {
        guard text.utf8.count <= 2000 else {
            throw RequestFault(.badRequest, "an address has at most 2000 bytes, not \(text.utf8.count)")
        }
        if let complaint = complaint(about: text, receivers) { throw RequestFault(.badRequest, complaint) }
    }

    private static func check(label: String?, _ events: [WebhookEvent]?, progressStep: Int?) throws {
        if let label, !label.isEmpty { try TextCheck.label(label) }
        if let events {
            guard !events.isEmpty, Set(events).count == events.count, !events.contains(.test) else {
                let names = WebhookEvent.choices.map(\.rawValue).joined(separator: ", ")
                throw RequestFault(.badRequest, "a webhook has one or more of the events \(names), each once")
            }
        }
        if let progressStep, !(1...50).contains(progressStep) {
            throw RequestFault(.badRequest, "progressStep is 1...50 percent, not \(progressStep)")
        }
    }
}
