import BlockingWork
import ContentHashing
import Coordinator
import Deliveries
import ExportPlan
import FarmAPI
import HTTPClient
import JobQueue
import Logging
import TestSupport
import Testing
import FoundationEssentials

/// A store with a tenant, a receiver on this machine, and a sender with short pauses.
struct SenderFixture: Sendable {
    static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    let store = MemoryFarmStore()
    let receiver: WebhookReceiver
    let tenant: Int64
    let signal = WakeSignal()

    init(secrets: [String] = [SenderFixture.secret]) async throws {
        receiver = try await WebhookReceiver(secrets: secrets)
        tenant = try await store.createTenant("studio", weight: 1).id
    }

    /// Runs `body` while a sender runs.
    /// - Parameters:
    ///   - networks: private networks that may be reached.
    ///   - ports: ports of this machine that may be sent to besides the receiver's.
    func sending(
        networks: [String] = ["127.0.0.0/8"], ports: [Int] = [], policy: WebhookPolicy = SenderFixture.quick,
        limits: WebhookSender.Limits = WebhookSender.Limits(), _ body: () async throws -> Void
    ) async throws {
        var logger = Logger(label: "sender of a test")
        logger.logLevel = .critical
        let patterns = ([receiver.port] + ports).flatMap { ["http://127.0.0.1:\($0)/", "http://localhost:\($0)/"] }
        let sender = WebhookSender(
            store: store, http: WebhookSender.connections(networks.compactMap { IPNetwork($0) }),
            receivers: AddressList(patterns.compactMap { AddressPattern($0) }), policy: policy, limits: limits, signal: signal,
            now: { Date() }, logger: logger)
        let running = Task { await sender.run() }
        do {
            try await body()
        } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        await running.value
    }

    static var quick: WebhookPolicy {
        var policy = WebhookPolicy()
        policy.backoff = Backoff(first: .milliseconds(10), growth: 2, limit: .seconds(60))
        return policy
    }

    @discardableResult
    func webhook(_ path: String, host: String? = nil, events: [WebhookEvent]? = nil) async throws -> Int64 {
        let address = host.map { "http://\($0):\(receiver.port)" } ?? receiver.address
        let wanted = NewWebhook(address: address + path, events: events)
        return try await store.createWebhook(wanted, secret: SenderFixture.secret, tenant: tenant).id
    }

    /// Submits an export and cancels it, so that it has ended.
    @discardableResult
    func end(_ label: String = "film") async throws -> ExportID {
        let export = try await submit(label)
        _ = await store.cancel(export)
        signal.wake()
        return export
    }

    /// An export that has failed, was retried, and has failed again.
    func failTwice(_ label: String) async throws -> ExportID {
        let export = try await submit(label)
        let key = ArtifactKey(ContentHash.of(label.utf8))
        let probe = PlannedJob(kind: .probe, ordinal: 0, key: key, work: .probe(path: label), weight: 1)
        _ = await store.startProbing([ExportProbes(export: export, probes: [(label, probe)])])
        for time in 0..<2 {
            let job = try #require(await store.jobs(JobFilter(export: export)).first)
            let ticket = try #require(await store.dispatch([job.id], at: Date()).first)
            let failure = JobFailure(.input, subject: label, message: "went wrong")
            _ = await store.apply([JobReport(ticket.identity, worker: "w", .failed(failure: failure))], at: Date(), jitter: 0)
            _ = await store.fail(export, ExportFailure(.input, message: "'\(label)' went wrong"))
            if time == 0 { try await store.retry(job.id) }
        }
        return export
    }

    func submit(_ label: String) async throws -> ExportID {
        try await store.submit(
            ExportRequest(.document("{}"), label: label), id: ExportID(), tenant: tenant, idempotency: nil
        ).export.id
    }

    func deliveries(_ webhook: Int64, _ state: WebhookDeliveryState? = nil) async -> [WebhookDelivery] {
        await store.deliveries(of: webhook, state: state, before: nil, limit: 1000)
    }

    /// Waits until as many deliveries are in a state.
    func until(_ webhook: Int64, _ state: WebhookDeliveryState, _ count: Int = 1) async throws {
        while await deliveries(webhook, state).count < count { try await nextLook() }
    }
}
