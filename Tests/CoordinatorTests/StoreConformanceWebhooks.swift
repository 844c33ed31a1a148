import Coordinator
import ExportPlan
import FarmAPI
import FoundationEssentials
import JobQueue
import Testing

@Suite("Every store: webhooks")
struct StoreConformanceWebhooks {
    static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    @Test("A webhook is kept with everything in it, changed, and removed", arguments: StoreKind.allCases)
    func roundTrip(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let wanted = NewWebhook(
                address: "https://example.com/hook", label: "ci", events: [.failed, .progress], progressStep: 10)
            let made = try await farm.store.createWebhook(wanted, secret: Self.secret, tenant: farm.tenant)
            #expect(made.address == wanted.address && made.label == "ci" && made.events == [.failed, .progress])
            #expect(made.progressStep == 10 && made.isEnabled && made.tenant == farm.tenant)
            #expect(try await farm.store.webhook(made.id, tenant: nil) == made)
            let usual = try await farm.store.createWebhook(
                NewWebhook(address: "https://example.com/"), secret: Self.secret, tenant: farm.tenant)
            #expect(usual.events == WebhookEvent.usual && usual.progressStep == 25 && usual.label.isEmpty)
            #expect(try await farm.store.webhooks(tenant: farm.tenant) == [made, usual])
            let change = WebhookChange(address: "https://example.org/", label: "", events: [.completed], progressStep: 50)
            let changed = try #require(try await farm.store.changeWebhook(made.id, change, tenant: farm.tenant))
            #expect(changed.address == "https://example.org/" && changed.label.isEmpty && changed.events == [.completed])
            #expect(changed.progressStep == 50 && changed.createdAt == made.createdAt)
            #expect(try await farm.store.removeWebhook(made.id, tenant: farm.tenant))
            #expect(try await !farm.store.removeWebhook(made.id, tenant: farm.tenant))
            #expect(try await farm.store.webhooks(tenant: farm.tenant) == [usual])
        }
    }

    @Test("A tenant sees and changes only its own webhooks, and has twenty at most", arguments: StoreKind.allCases)
    func tenancy(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let other = try await farm.store.createTenant("other", weight: 1).id
            let webhook = try await farm.webhook()
            #expect(try await farm.store.webhooks(tenant: other).isEmpty)
            #expect(try await farm.store.webhook(webhook, tenant: other) == nil)
            #expect(try await farm.store.changeWebhook(webhook, WebhookChange(label: "x"), tenant: other) == nil)
            #expect(try await farm.store.rotateSecret(of: webhook, to: Self.secret, overlap: 1, tenant: other) == nil)
            #expect(try await farm.store.testWebhook(webhook, tenant: other) == nil)
            #expect(try await !farm.store.removeWebhook(webhook, tenant: other))
            _ = try await farm.cancelled(tenant: other)
            #expect(try await farm.deliveries(webhook).isEmpty, "another tenant's export")
            for _ in 1..<Webhook.mostPerTenant { _ = try await farm.webhook() }
            let error = await #expect(throws: FarmError.self) { try await farm.webhook() }
            #expect(error?.code == .conflict)
            #expect(
                error?.message
                    == "a tenant has at most \(Webhook.mostPerTenant) webhooks; remove one that is not needed, or change one")
            _ = try await farm.store.createWebhook(
                NewWebhook(address: "https://example.com/"), secret: Self.secret, tenant: other)
        }
    }

    @Test("The end of an export adds a delivery for each webhook that asks for it", arguments: StoreKind.allCases)
    func ends(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let all = try await farm.webhook()
            let some = try await farm.webhook([.completed])
            let film = SampleFilm()
            let completed = try await farm.rendering(film)
            try await farm.work()
            let cancelled = try await farm.cancelled()
            let failed = try await farm.submit("long").id
            let long = String(repeating: "é", count: 5000)
            _ = try await farm.store.fail(failed, ExportFailure(.input, message: long))
            #expect(try await farm.deliveries(all).map(\.event) == [.completed, .cancelled, .failed])
            #expect(try await farm.deliveries(all).map(\.export) == [completed, cancelled, failed])
            #expect(try await farm.deliveries(some).map(\.export) == [completed])
            #expect(Set(try await farm.deliveries(all).map(\.messageID)).count == 3)
            // What they say is the same in every store.
            let due = try await farm.due().filter { $0.webhook == all }
            let messages = try due.map { try FarmJSON.decode(WebhookMessage.self, from: $0.body()) }
            let export = try await farm.export(completed)
            let subjects = messages.reduce(into: [:]) { $0[$1.type] = $1.data.export }
            #expect(messages.count == 3 && Set(subjects.keys) == [.completed, .cancelled, .failed])
            let subject = try #require(subjects[.completed])
            #expect(subject.id == completed && subject.number == export.number && subject.label == export.label)
            #expect(subject.state == .completed && subject.frameCount == film.frameCount && subject.failure == nil)
            #expect(abs(subject.createdAt.timeIntervalSince(export.createdAt)) < 0.01)
            let finished = try #require(export.finishedAt)
            #expect(abs(try #require(subject.finishedAt).timeIntervalSince(finished)) < 0.01)
            let failure = try #require(subjects[.failed]?.failure)
            #expect(failure.failureClass == .input && failure.message == String(long.prefix(2000)))
        }
    }

    @Test("Only the first delivery about one export is due, and a later one waits as long", arguments: StoreKind.allCases)
    func order(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let webhook = try await farm.webhook()
            let export = try await farm.failedTwice()
            let other = try await farm.cancelled()
            var due = try await farm.due()
            #expect(due.compactMap(\.export) == [export, other], "the second one of the export waits")
            let first = try #require(due.first)
            let later = farm.now + 100
            let attempt = WebhookAttempt(at: farm.now, status: 500, message: "no")
            try await farm.store.record(attempt, at: first, .retry(at: later))
            #expect(try await farm.store.webhook(webhook, tenant: nil)?.failingSince != nil)
            due = try await farm.due()
            #expect(due.compactMap(\.export) == [other])
            let next = try #require(try await farm.store.nextDelivery(after: farm.now))
            #expect(abs(next.timeIntervalSince(later)) < 0.01)
            due = try await farm.due(at: later + 1, perWebhook: 10)
            #expect(due.count == 1, "a webhook that fails gets one at a time")
            try await farm.store.record(WebhookAttempt(at: later, status: 200, message: "yes"), at: due[0], .delivered)
            let record = try await farm.deliveries(webhook)
            #expect(record.count == 3 && record.filter { $0.state == .delivered }.count == 1)
            #expect(try await farm.store.webhook(webhook, tenant: nil)?.failingSince == nil)
            try await farm.deliverAll(at: later + 2)
            #expect(try await farm.deliveries(webhook).allSatisfy { $0.state == .delivered && $0.dueAt == nil })
            #expect(try await farm.store.nextDelivery(after: farm.now) == nil)
        }
    }

    @Test("What is under way is not due, and counts for its webhook", arguments: StoreKind.allCases)
    func underWay(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let webhooks = [try await farm.webhook(), try await farm.webhook()]
            for _ in 0..<5 { _ = try await farm.cancelled() }
            let first = try await farm.due(perWebhook: 2)
            #expect(webhooks.map { webhook in first.count { $0.webhook == webhook } } == [2, 2])
            var underWay = Dictionary(uniqueKeysWithValues: first.map { ($0.id, $0.webhook) })
            #expect(try await farm.due(perWebhook: 2, underWay: underWay).isEmpty)
            underWay[first[0].id] = nil
            let second = try await farm.due(perWebhook: 2, underWay: underWay)
            #expect(second.map(\.id) == [first[0].id])
            #expect(try await farm.due(perWebhook: 2, limit: 3).count == 3)
        }
    }

    @Test("A disabled webhook gets nothing, and what waited for it has failed", arguments: StoreKind.allCases)
    func disabling(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let (gone, stopped) = (try await farm.webhook(), try await farm.webhook())
            for _ in 0..<3 { _ = try await farm.cancelled() }
            let delivery = try #require(try await farm.due().first { $0.webhook == gone })
            try await farm.store.record(
                WebhookAttempt(at: farm.now, status: 410, message: "gone"), at: delivery, .disable(reason: "it is gone"))
            _ = try await farm.store.changeWebhook(stopped, WebhookChange(isEnabled: false), tenant: nil)
            for webhook in [gone, stopped] {
                let now = try #require(try await farm.store.webhook(webhook, tenant: nil))
                #expect(!now.isEnabled && now.disabledReason != nil)
                #expect(try await farm.deliveries(webhook).allSatisfy { $0.state == .failed && $0.message != nil })
                let error = await #expect(throws: FarmError.self) { try await farm.store.testWebhook(webhook, tenant: nil) }
                #expect(error?.code == .conflict)
                #expect(error?.message == "webhook \(webhook) is disabled; enable it first")
            }
            _ = try await farm.cancelled()
            #expect(try await farm.deliveries(gone).count == 3)
            #expect(try await farm.due().isEmpty)
            let refused = await #expect(throws: FarmError.self) { try await farm.store.redeliver(delivery.id, of: gone) }
            #expect(refused?.code == .conflict)
            #expect(try await farm.deliveries(gone).allSatisfy { $0.state == .failed })
            // Enabled again, what failed can be sent again.
            let enabled = try await farm.store.changeWebhook(gone, WebhookChange(isEnabled: true), tenant: nil)
            #expect(enabled?.isEnabled == true && enabled?.failingSince == nil && enabled?.disabledReason == nil)
            let again = try #require(try await farm.store.redeliver(delivery.id, of: gone))
            #expect(again.state == .pending && again.attempts == 0 && again.messageID == delivery.messageID)
            #expect(try await farm.due().map(\.id) == [delivery.id])
            #expect(try await farm.store.redeliver(delivery.id, of: stopped) == nil)
            #expect(try await farm.store.redeliver(999, of: gone) == nil)
        }
    }

    @Test("After a rotation the former secret is given out until its time is over", arguments: StoreKind.allCases)
    func rotation(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let webhook = try await farm.webhook()
            _ = try await farm.cancelled()
            let new = WebhookSecret().text
            let rotated = try await farm.store.rotateSecret(of: webhook, to: new, overlap: 3600, tenant: farm.tenant)
            #expect(rotated?.formerSecretUntil.map { $0 > farm.now + 3000 } == true)
            let due = try #require(try await farm.due().first)
            #expect(due.secret == new && due.formerSecret == Self.secret)
            #expect(try await farm.due(at: farm.now + 4000).first?.formerSecret == nil)
            _ = try await farm.store.rotateSecret(of: webhook, to: new, overlap: 0, tenant: farm.tenant)
            #expect(try await farm.due().first?.formerSecret == nil)
        }
    }

    @Test("Progress is told at each step once, and a newer step replaces one that waits", arguments: StoreKind.allCases)
    func progress(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let webhook = try await farm.webhook([.progress, .completed], progressStep: 25)
            let export = try await farm.rendering(SampleFilm(pictures: (0..<10).map { "picture \($0)" }, sounds: ["waves"]))
            let start = farm.now - 60
            func look(_ underWay: [Int64: Int64] = [:]) async throws -> Int {
                try await farm.store.addProgress(since: start, at: farm.now, underWay: underWay)
            }
            #expect(try await look() == 0)
            for picture in 0..<2 { try await farm.finish(export, .video, picture) }
            #expect(try await look() == 0, "20 % is no step")
            try await farm.finish(export, .video, 2)
            #expect(try await look() == 1)
            #expect(try await look() == 0, "the step is told once")
            let first = try #require(try await farm.due().first)
            let subject = try FarmJSON.decode(WebhookMessage.self, from: first.body()).data.export
            #expect(subject?.progress == 25 && subject?.state == .rendering && subject?.finishedAt == nil)
            for picture in 3..<6 { try await farm.finish(export, .video, picture) }
            #expect(try await look() == 1)
            #expect(try await farm.deliveries(webhook).count == 1, "50 % replaces 25 %")
            let second = try #require(try await farm.due().first)
            #expect(second.id != first.id)
            for picture in 6..<8 { try await farm.finish(export, .video, picture) }
            #expect(try await look([second.id: webhook]) == 1)
            #expect(try await farm.deliveries(webhook).count == 2, "what is under way stays")
            #expect(try await farm.store.addProgress(since: farm.now + 60, at: farm.now, underWay: [:]) == 0)
            try await farm.work()
            #expect(try await look() == 0, "an export that is over makes no progress")
            #expect(try await farm.deliveries(webhook).map(\.event) == [.progress, .progress, .completed])
            #expect(try await farm.due().map(\.id) == [second.id], "and the end comes after its progress")
        }
    }

    @Test("Old deliveries are removed, and those of webhooks that are gone", arguments: StoreKind.allCases)
    func retention(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let (kept, gone) = (try await farm.webhook(), try await farm.webhook())
            for _ in 0..<3 { _ = try await farm.cancelled() }
            let first = try #require(try await farm.due(perWebhook: 1).first { $0.webhook == kept })
            try await farm.store.record(
                WebhookAttempt(at: farm.now, status: 200, message: "yes"), at: first, .delivered)
            #expect(try await farm.store.removeWebhook(gone, tenant: nil))
            var cutoffs = RetentionCutoffs()
            cutoffs.deliveries = farm.now + 60
            #expect(try await farm.store.expired(cutoffs).droppedDeliveries == 4)
            var dropped = 0
            while true {
                let counts = try await farm.store.dropDeliveries(endedBefore: farm.now + 60, limit: 2)
                if counts.isEmpty { break }
                #expect(counts.droppedDeliveries <= 2)
                dropped += counts.droppedDeliveries
            }
            #expect(dropped == 4)
            #expect(try await farm.deliveries(kept).map(\.state) == [.pending, .pending])
            #expect(try await farm.deliveries(gone).isEmpty)
        }
    }
}

extension StoreFixture {
    @discardableResult
    fileprivate func webhook(_ events: [WebhookEvent]? = nil, progressStep: Int? = nil) async throws -> Int64 {
        let wanted = NewWebhook(address: "https://example.com/hook", events: events, progressStep: progressStep)
        return try await store.createWebhook(wanted, secret: StoreConformanceWebhooks.secret, tenant: tenant).id
    }

    fileprivate func cancelled(tenant: Int64? = nil) async throws -> ExportID {
        let id = try await submit(tenant: tenant).id
        _ = try await store.cancel(id)
        return id
    }

    /// An export that has failed, was retried, and has failed again.
    fileprivate func failedTwice() async throws -> ExportID {
        let id = try await probing(["a.mp4"])
        for time in 0..<2 {
            let ticket = try await dispatch(id, .probe)
            try await fail(ticket, .input)
            _ = try await store.fail(id, ExportFailure(.input, message: "'a.mp4' went wrong"))
            if time == 0 { try await store.retry(ticket.job) }
        }
        return id
    }

    /// Oldest first.
    fileprivate func deliveries(_ webhook: Int64) async throws -> [WebhookDelivery] {
        try await store.deliveries(of: webhook, state: nil, before: nil, limit: 1000).reversed()
    }

    fileprivate func due(
        at time: Date? = nil, perWebhook: Int = 100, underWay: [Int64: Int64] = [:], limit: Int = 1000
    ) async throws -> [OutgoingDelivery] {
        try await store.dueDeliveries(at: time ?? now, perWebhook: perWebhook, underWay: underWay, limit: limit)
    }

    /// Delivers everything that is due, until nothing is.
    fileprivate func deliverAll(at time: Date) async throws {
        while true {
            let due = try await due(at: time)
            if due.isEmpty { return }
            for delivery in due {
                try await store.record(WebhookAttempt(at: time, status: 200, message: "yes"), at: delivery, .delivered)
            }
        }
    }
}
