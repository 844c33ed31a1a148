import CommandLineInterface
import FarmAPI
import Vocabulary
import FoundationEssentials

/// Webhooks and deliveries as text for people.
enum WebhookText {
    static func state(_ webhook: Webhook, at now: Date) -> String {
        if !webhook.isEnabled { return "disabled" }
        return webhook.failingSince.map { "failing for \(Phrase.age($0, at: now))" } ?? "enabled"
    }

    /// The events without what they have in common.
    static func events(_ webhook: Webhook) -> String {
        webhook.events.map { event in
            let name = event.rawValue.split(separator: ".").last.map(String.init) ?? event.rawValue
            return event == .progress ? "\(name)(\(webhook.progressStep) %)" : name
        }.joined(separator: ",")
    }

    static func lines(_ webhook: Webhook, at now: Date) -> [String] {
        var lines = ["webhook \(webhook.id): \(webhook.address)"]
        if !webhook.label.isEmpty { lines.append("label: \(webhook.label)") }
        lines.append("events: \(events(webhook))")
        lines.append("state: \(state(webhook, at: now))" + (webhook.disabledReason.map { ": \($0)" } ?? ""))
        if let until = webhook.formerSecretUntil, until > now {
            lines.append("the former secret is valid for \(Phrase.seconds(until.timeIntervalSince(now))) more")
        }
        return lines
    }

    static func cells(_ delivery: WebhookDelivery, at now: Date) -> [String] {
        var result = delivery.message ?? "-"
        if let due = delivery.dueAt, due > now { result += "; next in \(Phrase.seconds(due.timeIntervalSince(now)))" }
        return [
            "\(delivery.id)", delivery.event.rawValue, delivery.state.rawValue, "\(delivery.attempts)",
            delivery.status.map(String.init) ?? "-", Phrase.age(delivery.createdAt, at: now), delivery.export?.text ?? "-",
            result,
        ]
    }

    /// Prints a new secret, and to standard error a sentence about it.
    static func print(_ issued: IssuedWebhook, _ sentence: String, _ farm: FarmOptions) throws {
        if farm.json { return try Terminal.printFarmJSON(issued) }
        Terminal.error("\(sentence); it is shown only now:")
        Terminal.print(issued.secret)
    }
}
