import Coordinator
import Deliveries
import FarmAPI
import JobQueue
import TestSupport
import Testing
import FoundationEssentials
import Glibc

@Suite("The sender of webhooks", .timeLimit(.minutes(2)))
struct WebhookSenderTests {
    @Test("A message is signed so that Python's hmac accepts it, and says what happened")
    func delivered() async throws {
        let farm = try await SenderFixture()
        let webhook = try await farm.webhook("/ok")
        try await farm.sending {
            let export = try await farm.end("Ünïcode \"film\"")
            try await farm.until(webhook, .delivered)
            let received = try #require(try farm.receiver.received.first)
            #expect(received.valid == 1 && received.signatures == 1 && received.isRecent)
            #expect(received.type == "export.cancelled" && received.export == export.text)
            let delivery = try #require(await farm.deliveries(webhook).first)
            #expect(delivery.messageID == received.id && delivery.attempts == 1 && delivery.status == 200)
            let message = try FarmJSON.decode(WebhookMessage.self, from: Data(received.body.utf8))
            #expect(message.data.export?.label == "Ünïcode \"film\"" && message.data.export?.state == .cancelled)
        }
    }

    @Test("Answers of 500 are repeated with the same id and body until one is 200")
    func failing() async throws {
        let farm = try await SenderFixture()
        let webhook = try await farm.webhook("/status/500/3")
        try await farm.sending {
            try await farm.end()
            try await farm.until(webhook, .delivered)
        }
        let received = try farm.receiver.received
        #expect(received.map(\.status) == [500, 500, 500, 200])
        #expect(Set(received.map(\.id)).count == 1 && Set(received.map(\.body)).count == 1)
        #expect(received.allSatisfy { $0.valid == 1 })
        #expect(await farm.deliveries(webhook).first?.attempts == 4)
        #expect(await farm.store.webhook(webhook, tenant: nil)?.failingSince == nil, "a success ends it")
    }

    @Test("An answer of 410 disables the webhook at once, and what waits is not sent")
    func gone() async throws {
        let farm = try await SenderFixture()
        let webhook = try await farm.webhook("/status/410")
        try await farm.sending {
            for _ in 0..<20 { try await farm.end() }
            try await farm.until(webhook, .failed, 20)
        }
        let disabled = try #require(await farm.store.webhook(webhook, tenant: nil))
        #expect(!disabled.isEnabled && disabled.disabledReason?.contains("410") == true)
        // As many as may be under way, and not one more.
        #expect(try farm.receiver.received.count <= 4)
        let words = await farm.deliveries(webhook).compactMap(\.message)
        #expect(words.count == 20 && words.allSatisfy { $0.contains("410") })
        try await farm.end()
        #expect(await farm.deliveries(webhook).count == 20, "a disabled webhook gets no new deliveries")
    }

    @Test("A webhook whose secret cannot be read gets nothing, and its deliveries say so")
    func unreadableSecret() async throws {
        let farm = try await SenderFixture()
        let wanted = NewWebhook(address: farm.receiver.address + "/ok", events: nil)
        let webhook = try await farm.store.createWebhook(wanted, secret: "no secret", tenant: farm.tenant).id
        try await farm.sending {
            try await farm.end()
            while await farm.deliveries(webhook).first?.message == nil { try await nextLook() }
        }
        #expect(await farm.deliveries(webhook).first?.message == "the webhook's secret cannot be read; rotate it")
        #expect(try farm.receiver.received.isEmpty)
    }

    @Test("A receiver that hangs holds up no other, and gets the message when it answers again")
    func hanging() async throws {
        let farm = try await SenderFixture()
        let (slow, quick) = (try await farm.webhook("/hang/4"), try await farm.webhook("/ok"))
        try await farm.sending {
            for _ in 0..<10 { try await farm.end() }
            // Four are under way at the one that hangs; the other has got all long before these end.
            try await farm.until(quick, .delivered, 10)
            #expect(try farm.receiver.received.filter { $0.path == "/hang/4" }.count <= 4)
            #expect(await farm.deliveries(slow, .delivered).isEmpty)
            try await farm.until(slow, .delivered, 10)
        }
        let late = await farm.deliveries(slow).filter { $0.attempts > 1 }
        #expect(late.count >= 4)
    }

    @Test("What happens while a receiver is away is delivered, in order of each export, once it is back")
    func away() async throws {
        let secret = SenderFixture.secret
        let farm = try await SenderFixture()
        let port = farm.receiver.port
        let place = "/tmp/webhook-away-\(UInt32.random(in: 0...UInt32.max)).log"
        var other: WebhookReceiver? = try await WebhookReceiver(secrets: [secret])
        let away = try #require(other).port
        other = nil  // nothing listens there any more
        #expect(away != port)
        let wanted = NewWebhook(address: "http://127.0.0.1:\(away)/ok")
        let webhook = try await farm.store.createWebhook(wanted, secret: secret, tenant: farm.tenant).id
        let exports = try await withSender(farm, at: away) {
            var exports: [ExportID] = []
            for number in 0..<5 { exports.append(try await farm.end("film \(number)")) }
            while await !farm.deliveries(webhook).allSatisfy({ $0.attempts > 1 }) { try await nextLook() }
            #expect(await farm.deliveries(webhook).allSatisfy { $0.message == "the receiver refuses the connection" })
            let back = try await WebhookReceiver(secrets: [secret], port: away, log: place)
            try await farm.until(webhook, .delivered, 5)
            #expect(Set(try back.received.compactMap(\.export)) == Set(exports.map(\.text)))
            #expect(try back.received.allSatisfy { $0.valid == 1 })
            return exports
        }
        #expect(exports.count == 5)
        unlink(place)
    }

    private func withSender(
        _ farm: SenderFixture, at port: Int, _ body: () async throws -> [ExportID]
    ) async throws -> [ExportID] {
        var exports: [ExportID] = []
        try await farm.sending(ports: [port]) { exports = try await body() }
        return exports
    }

    @Test("Deliveries about one export come one after the other, also where an earlier one fails")
    func order() async throws {
        let farm = try await SenderFixture()
        let webhook = try await farm.webhook("/status/500/2", events: [.failed, .cancelled])
        let export = try await farm.failTwice("film")
        let other = try await farm.end("other")
        let first = try #require(await farm.deliveries(webhook).last)
        try await farm.sending { try await farm.until(webhook, .delivered, 3) }
        let received = try farm.receiver.received.filter { $0.export == export.text }
        #expect(received.map(\.status) == [500, 500, 200, 500, 500, 200])
        #expect(Set(received.prefix(3).map(\.id)) == [first.messageID])
        #expect(Set(received.suffix(3).map(\.id)).count == 1 && received.last?.id != first.messageID)
        #expect(try farm.receiver.received.contains { $0.export == other.text })
    }

    @Test("Retry-After of 503 and 429 is respected", arguments: [503, 429])
    func retryAfter(status: Int) async throws {
        let farm = try await SenderFixture()
        let webhook = try await farm.webhook("/later/\(status)/1")
        try await farm.sending {
            try await farm.end()
            try await farm.until(webhook, .delivered)
        }
        let delivery = try #require(await farm.deliveries(webhook).first)
        let waited = try #require(delivery.endedAt).timeIntervalSince(delivery.createdAt)
        #expect(waited >= 1, "the pause alone would be 10 ms")
    }

    @Test("A redirect is not followed")
    func redirect() async throws {
        let farm = try await SenderFixture()
        let webhook = try await farm.webhook("/moved")
        try await farm.sending {
            try await farm.end()
            while await farm.deliveries(webhook).first?.attempts ?? 0 < 2 { try await nextLook() }
        }
        #expect(try farm.receiver.received.allSatisfy { $0.path == "/moved" })
        #expect(await farm.deliveries(webhook).first?.message?.contains("redirects are not followed") == true)
    }

    @Test("A private address is not connected to, whatever name leads there, and the record says why")
    func privateAddress() async throws {
        let farm = try await SenderFixture()
        let webhooks = [try await farm.webhook("/ok"), try await farm.webhook("/ok", host: "localhost")]
        try await farm.sending(networks: []) {
            try await farm.end()
            for webhook in webhooks {
                while await farm.deliveries(webhook).first?.attempts ?? 0 < 1 { try await nextLook() }
                let words = try #require(await farm.deliveries(webhook).first?.message)
                #expect(words.contains("is not a public address") && words.contains("is not connected to"))
            }
        }
        #expect(try farm.receiver.received.isEmpty)
    }

    @Test("An address that the farm does not allow any more gets nothing, and the record says why")
    func forbidden() async throws {
        let farm = try await SenderFixture()
        let wanted = NewWebhook(address: "https://other.example.com/hook")
        let webhook = try await farm.store.createWebhook(wanted, secret: SenderFixture.secret, tenant: farm.tenant).id
        try await farm.sending {
            try await farm.end()
            while await farm.deliveries(webhook).first?.attempts ?? 0 < 1 { try await nextLook() }
        }
        #expect(await farm.deliveries(webhook).first?.message?.contains("receiverAddresses") == true)
    }

    @Test("After a rotation both secrets sign, and after the overlap only the new one")
    func rotation() async throws {
        let new = WebhookSecret().text
        let farm = try await SenderFixture(secrets: [SenderFixture.secret, new])
        let webhook = try await farm.webhook("/ok")
        try await farm.sending {
            _ = await farm.store.rotateSecret(of: webhook, to: new, overlap: 3600, tenant: nil)
            try await farm.end()
            try await farm.until(webhook, .delivered)
            _ = await farm.store.rotateSecret(of: webhook, to: new, overlap: 0, tenant: nil)
            try await farm.end()
            try await farm.until(webhook, .delivered, 2)
        }
        let received = try farm.receiver.received
        #expect(received.map(\.signatures) == [2, 1] && received.map(\.valid) == [2, 1])
    }

    @Test("A test is sent once, whatever the answer, and says that it is one")
    func test() async throws {
        let farm = try await SenderFixture()
        let (good, bad) = (try await farm.webhook("/ok"), try await farm.webhook("/status/500"))
        try await farm.sending {
            for webhook in [good, bad] { _ = try await farm.store.testWebhook(webhook, tenant: nil) }
            farm.signal.wake()
            try await farm.until(good, .delivered)
            try await farm.until(bad, .failed)
        }
        let received = try farm.receiver.received
        #expect(received.count == 2 && received.allSatisfy { $0.type == "webhook.test" && $0.valid == 1 })
        #expect(await farm.deliveries(bad).first?.message == "the receiver answered 500: as a test asked")
        #expect(await farm.store.webhook(bad, tenant: nil)?.failingSince == nil)
    }

    @Test("What was delivered can be sent again, with the same id")
    func redeliver() async throws {
        let farm = try await SenderFixture()
        let webhook = try await farm.webhook("/ok")
        try await farm.sending {
            try await farm.end()
            try await farm.until(webhook, .delivered)
            let delivery = try #require(await farm.deliveries(webhook).first)
            _ = try await farm.store.redeliver(delivery.id, of: webhook)
            farm.signal.wake()
            try await farm.receiver.eventually { $0.count == 2 }
        }
        #expect(Set(try farm.receiver.received.map(\.id)).count == 1)
    }

    @Test("Many that fail leave half of all places to those that work")
    func crowd() async throws {
        let farm = try await SenderFixture()
        var limits = WebhookSender.Limits()
        (limits.atOnce, limits.perWebhook) = (4, 1)
        for number in 0..<10 { _ = try await farm.webhook("/dying/1/\(number)") }
        let good = try await farm.webhook("/ok")
        try await farm.sending(limits: limits) {
            try await farm.end()
            try await farm.until(good, .delivered)
            while await farm.store.webhooks(tenant: nil).count(where: { $0.failingSince != nil }) < 10 {
                try await nextLook()
            }
            // From now on those that fail give no answer, and keep their places until the request times out.
            for _ in 0..<20 { try await farm.end() }
            try await farm.until(good, .delivered, 21)
            #expect(try farm.receiver.received.count { $0.status == 0 } <= 2)
        }
    }
}
