package import BlockingWork
import FarmAPI
package import FoundationEssentials

/// What one attempt at a delivery led to.
package struct WebhookAttempt: Hashable, Sendable {
    /// When the attempt ended.
    package var at: Date
    /// nil where there was no answer.
    package var status: Int?
    /// What happened, for people.
    package var message: String
    /// How many seconds the receiver wants to be left alone; nil where it says nothing.
    package var retryAfter: Int?

    package init(at: Date, status: Int? = nil, message: String, retryAfter: Int? = nil) {
        self.at = at
        self.status = status
        self.message = message
        self.retryAfter = retryAfter
    }
}

/// What follows from an attempt.
package enum WebhookOutcome: Hashable, Sendable {
    case delivered
    case retry(at: Date)
    /// The delivery is not sent any more.
    case failed
    /// The delivery is not sent any more, nor is anything else to the webhook.
    case disable(reason: String)
}

/// When a delivery is repeated, and when nothing more is sent: a pure function of an attempt and what came before.
package struct WebhookPolicy: Hashable, Sendable {
    /// The pauses between the attempts of one delivery.
    package var backoff = Backoff(first: .seconds(5), growth: 3, limit: .seconds(86_400))
    /// A delivery that was queued for so many seconds fails; a webhook that has failed for so long is disabled.
    package var failureLimit: TimeInterval = 5 * 86_400

    package init() {}

    /// - Parameter chance: the jitter of a pause, 0...1.
    package func outcome(of attempt: WebhookAttempt, at delivery: OutgoingDelivery, chance: Double) -> WebhookOutcome {
        if let status = attempt.status, (200...299).contains(status) { return .delivered }
        // A test is about what the receiver does now.
        guard delivery.event != .test else { return .failed }
        if attempt.status == 410 { return .disable(reason: "the receiver answered 410: it is gone for good") }
        if let since = delivery.failingSince, attempt.at.timeIntervalSince(since) >= failureLimit {
            let days = Int(failureLimit / 86_400)
            return .disable(reason: "every attempt has failed for \(days) days; the last one: \(attempt.message)")
        }
        guard attempt.at.timeIntervalSince(delivery.queuedAt) < failureLimit else { return .failed }
        let pause = backoff.pause(before: delivery.attempts + 1, chance: chance).inSeconds
        return .retry(at: attempt.at + max(pause, asked(attempt)))
    }

    /// The pause in seconds that the receiver asks for; a day at most.
    private func asked(_ attempt: WebhookAttempt) -> TimeInterval {
        guard let status = attempt.status, [429, 503].contains(status), let seconds = attempt.retryAfter else { return 0 }
        return min(Double(max(0, seconds)), backoff.limit.inSeconds)
    }
}
