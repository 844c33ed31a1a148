package import Coordinator
package import ExportPlan
import FarmAPI
package import HTTPClient
package import JobQueue
package import Logging
package import FoundationEssentials
import Synchronization

/// Sends the deliveries that are due, and adds those about progress. The leader runs it for its term, beside everything
/// else that it does, so that there is one sender at a time; what a leader that ends has begun, the next one repeats.
///
/// Each request has a thread of its own while it lasts (`Connections`). One webhook has few of them at a time, those that
/// fail have only one, and all that fail together have half of all, so that no receiver holds up another.
package struct WebhookSender: Sendable {
    /// How many deliveries may be under way.
    package struct Limits: Sendable {
        package var atOnce = 64
        package var perWebhook = 4

        package init() {}
    }

    /// How often exports are looked at for their progress.
    private static let progressInterval = Duration.seconds(2)
    /// Deliveries are looked for at least so often, because a notification may be missed.
    private static let interval = Duration.seconds(30)

    private let store: any WebhookStore
    private let request: WebhookRequest
    private let policy: WebhookPolicy
    private let limits: Limits
    private let signal: WakeSignal
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let underWay = UnderWay()

    /// - Parameters:
    ///   - http: sends the requests, by the rules on addresses.
    ///   - receivers: the addresses that webhooks may have.
    ///   - signal: wakes the sender when deliveries were added.
    ///   - now: tells the time by the database's clock.
    package init(
        store: any WebhookStore, http: Connections, receivers: AddressList, policy: WebhookPolicy = WebhookPolicy(),
        limits: Limits = Limits(), signal: WakeSignal, now: @escaping @Sendable () -> Date, logger: Logger
    ) {
        self.store = store
        request = WebhookRequest(http: http, receivers: receivers)
        self.policy = policy
        self.limits = limits
        self.signal = signal
        self.now = now
        self.logger = logger
    }

    /// The connections of a sender.
    /// - Parameter networks: private networks that may be reached all the same.
    package static func connections(_ networks: [IPNetwork]) -> Connections {
        Connections(connecting: .seconds(5), silence: WebhookRequest.timeout, rules: .publicAddresses(and: networks))
    }

    /// Sends until the task is cancelled or the lead is lost.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await sendAll() }
            group.addTask { await noteProgress() }
            // Each of them ends when the lead is lost.
            await group.next()
            group.cancelAll()
        }
    }

    private func sendAll() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled, !underWay.hasLostLead {
                do {
                    let wait = try await begin { delivery in group.addTask { await send(delivery) } }
                    _ = await signal.wait(atMost: wait)
                } catch {
                    await pause(after: error)
                }
            }
            group.cancelAll()
        }
    }

    /// Begins everything that is due and for which there is room.
    /// - Returns: how long nothing else becomes due.
    private func begin(_ start: (OutgoingDelivery) -> Void) async throws -> Duration {
        let current = underWay.deliveries
        let room = limits.atOnce - current.count
        // The end of a delivery wakes the loop.
        guard room > 0 else { return WebhookSender.interval }
        let now = now()
        let due = try await store.dueDeliveries(
            at: now, perWebhook: limits.perWebhook, underWay: current, limit: room)
        var failing = underWay.failingCount
        for delivery in due {
            if delivery.failingSince != nil {
                guard failing < limits.atOnce / 2 else { break }
                failing += 1
            }
            underWay.add(delivery)
            start(delivery)
        }
        guard let next = try await store.nextDelivery(after: now) else { return WebhookSender.interval }
        return min(WebhookSender.interval, .seconds(max(0.001, next.timeIntervalSince(now))))
    }

    private func send(_ delivery: OutgoingDelivery) async {
        let attempt = await request.send(delivery, now: now)
        defer {
            underWay.remove(delivery)
            signal.wake()
        }
        // Cancelled: the request did not end, and the next leader repeats it.
        guard !Task.isCancelled else { return }
        let outcome = policy.outcome(of: attempt, at: delivery, chance: .random(in: 0...1))
        do {
            try await store.record(attempt, at: delivery, outcome)
        } catch {
            // It is pending still, and is sent once more; not at once, because the database may be away.
            await pause(after: error)
        }
        let words: Logger.Metadata = ["webhook": "\(delivery.webhook)", "delivery": "\(delivery.id)"]
        switch outcome {
        case .delivered: logger.debug("delivered '\(delivery.event.rawValue)'", metadata: words)
        case .retry: logger.info("'\(delivery.event.rawValue)' will be sent again: \(attempt.message)", metadata: words)
        case .failed: logger.warning("'\(delivery.event.rawValue)' is not delivered: \(attempt.message)", metadata: words)
        case .disable(let reason): logger.warning("the webhook is disabled: \(reason)", metadata: words)
        }
    }

    private func noteProgress() async {
        // A leader that begins looks at what finished while nobody led, too.
        var since = now() - 60
        while !Task.isCancelled {
            let looked = now()
            do {
                // Reports are stored with times that lie a little in the past.
                let added = try await store.addProgress(since: since - 5, at: looked, underWay: underWay.deliveries)
                if added > 0 { signal.wake() }
                since = looked
            } catch {
                await pause(after: error)
                if underWay.hasLostLead { return }
            }
            try? await Task.sleep(for: WebhookSender.progressInterval)  // cancelled: the loop ends
        }
    }

    private func pause(after error: any Error) async {
        guard !(error is CancellationError) else { return }
        // Reading is not refused, so that without this the same deliveries would be sent again and again.
        if (error as? FarmError)?.code == .lostLead { return underWay.noteLostLead() }
        logger.warning("deliveries to webhooks: \(error); retrying")
        try? await Task.sleep(for: .seconds(1))  // cancelled: the loops end
    }
}

/// The deliveries that are being sent.
private final class UnderWay: Sendable {
    private struct State {
        var deliveries: [Int64: OutgoingDelivery] = [:]
        var hasLostLead = false
    }

    private let state = Mutex(State())

    /// With their webhooks.
    var deliveries: [Int64: Int64] { state.withLock { $0.deliveries.mapValues(\.webhook) } }
    var failingCount: Int { state.withLock { $0.deliveries.values.count { $0.failingSince != nil } } }
    /// Whether the store has said that another coordinator leads.
    var hasLostLead: Bool { state.withLock { $0.hasLostLead } }

    func add(_ delivery: OutgoingDelivery) { state.withLock { $0.deliveries[delivery.id] = delivery } }
    func remove(_ delivery: OutgoingDelivery) { state.withLock { $0.deliveries[delivery.id] = nil } }
    func noteLostLead() { state.withLock { $0.hasLostLead = true } }
}
