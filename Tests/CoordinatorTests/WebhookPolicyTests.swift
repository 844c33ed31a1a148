import Coordinator
import FarmAPI
import Testing
import FoundationEssentials

@Suite("The policy of deliveries to webhooks")
struct WebhookPolicyTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)
    private let policy = WebhookPolicy()

    private func delivery(
        attempts: Int = 0, queued: TimeInterval = 0, failing: TimeInterval? = nil, event: WebhookEvent = .completed
    ) -> OutgoingDelivery {
        OutgoingDelivery(
            id: 1, webhook: 2, export: ExportID(), event: event, messageID: "msg_1", content: "{}", attempts: attempts,
            createdAt: now - queued, queuedAt: now - queued, address: "https://example.com/", secret: "", formerSecret: nil,
            failingSince: failing.map { now - $0 })
    }

    private func outcome(
        _ status: Int?, retryAfter: Int? = nil, chance: Double = 1, at delivery: OutgoingDelivery
    ) -> WebhookOutcome {
        policy.outcome(
            of: WebhookAttempt(at: now, status: status, message: "x", retryAfter: retryAfter), at: delivery, chance: chance)
    }

    @Test("Every answer of 200...299 ends a delivery, and nothing else does", arguments: [200, 201, 202, 204, 299])
    func success(status: Int) { #expect(outcome(status, at: delivery()) == .delivered) }

    @Test("Every other answer, and none, is repeated later", arguments: [nil, 100, 301, 400, 404, 409, 429, 500, 503, 599])
    func retried(status: Int?) { #expect(outcome(status, at: delivery()) == .retry(at: now + 5)) }

    @Test("Pauses grow from 5 s to a day, and jitter halves them at most")
    func pauses() {
        let pauses = (0..<12).map { attempts -> TimeInterval in
            guard case .retry(let due) = outcome(500, at: delivery(attempts: attempts)) else { return -1 }
            return due.timeIntervalSince(now)
        }
        #expect(pauses.prefix(5) == [5, 15, 45, 135, 405])
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(pauses.last == 86_400)
        #expect(outcome(500, chance: 0, at: delivery(attempts: 1)) == .retry(at: now + 7.5))
    }

    @Test("A receiver that asks for a longer pause gets it, up to a day", arguments: [429, 503])
    func retryAfter(status: Int) {
        #expect(outcome(status, retryAfter: 100, at: delivery()) == .retry(at: now + 100))
        #expect(outcome(status, retryAfter: 1, at: delivery()) == .retry(at: now + 5))
        #expect(outcome(status, retryAfter: -7, at: delivery()) == .retry(at: now + 5))
        #expect(outcome(status, retryAfter: .max, at: delivery()) == .retry(at: now + 86_400))
        #expect(outcome(500, retryAfter: 100, at: delivery()) == .retry(at: now + 5))
    }

    @Test("410 disables the webhook, and so do five days of failures; a delivery alone fails after five days")
    func ends() {
        let days = 5.0 * 86_400
        guard case .disable(let reason) = outcome(410, at: delivery()) else { return #expect(Bool(false), "410 disables") }
        #expect(reason == "the receiver answered 410: it is gone for good")
        #expect(outcome(500, at: delivery(failing: days - 1)) == .retry(at: now + 5))
        guard case .disable(let late) = outcome(500, at: delivery(failing: days)) else {
            return #expect(Bool(false), "five days disable")
        }
        #expect(late == "every attempt has failed for 5 days; the last one: x")
        #expect(outcome(500, at: delivery(queued: days)) == .failed)
        #expect(outcome(200, at: delivery(queued: days, failing: days)) == .delivered)
    }

    @Test("A test is not repeated, and disables nothing", arguments: [nil, 410, 500])
    func tests(status: Int?) { #expect(outcome(status, at: delivery(failing: 1e9, event: .test)) == .failed) }
}
