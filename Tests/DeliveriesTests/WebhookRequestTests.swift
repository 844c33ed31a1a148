import Coordinator
import Deliveries
import ExportPlan
import FarmAPI
import Testing
import FoundationEssentials

@Suite("A request to a webhook")
struct WebhookRequestTests {
    @Test("An event that another version stored is not sent, and the record says so")
    func otherVersion() async throws {
        let address = "http://127.0.0.1:9/"
        let receivers = AddressList([try #require(AddressPattern(address))])
        let request = WebhookRequest(http: WebhookSender.connections([]), receivers: receivers)
        let now = Date()
        let delivery = OutgoingDelivery(
            id: 1, webhook: 1, export: nil, event: .completed, messageID: "msg_1", content: "[]", attempts: 0, createdAt: now,
            queuedAt: now, address: address, secret: SenderFixture.secret, formerSecret: nil, failingSince: nil)
        let attempt = await request.send(delivery) { now }
        #expect(
            attempt
                == WebhookAttempt(
                    at: now, message: "the event was stored by another version of spool and cannot be read"))
    }
}
