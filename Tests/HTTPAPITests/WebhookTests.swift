import Coordinator
import FarmAPI
import HTTPTypes
import TestServer
import Testing

@Suite("The API's webhooks")
struct WebhookTests {
    private func create(_ farm: Farm, _ body: String, as token: String = "both") async throws -> Answer {
        try await farm.send(.post, "/v1/webhooks", as: token, body: body)
    }

    @Test("The answer that creates a webhook has its secret, and no other answer has")
    func secrets() async throws {
        let farm = try await Farm()
        let made = try await create(farm, #"{"address":"https://example.com/hook","label":"ci"}"#)
        #expect(made.status == .created && made.headers[.cacheControl] == "no-store")
        let issued = try made.json(IssuedWebhook.self)
        #expect(made.headers[.location] == "/v1/webhooks/\(issued.webhook.id)")
        #expect(WebhookSecret(issued.secret) != nil)
        let path = "/v1/webhooks/\(issued.webhook.id)"
        for answer in [
            try await farm.send(.get, path), try await farm.send(.get, "/v1/webhooks"),
            try await farm.send(.patch, path, body: #"{"label":"other"}"#), try await farm.send(.get, path + "/deliveries"),
        ] {
            #expect(answer.status == .ok && !answer.text.contains("whsec_") && !answer.text.contains("secret\""))
        }
        let rotated = try await farm.send(.post, path + "/rotate?overlap=60")
        let second = try rotated.json(IssuedWebhook.self)
        #expect(second.secret != issued.secret && second.webhook.formerSecretUntil != nil)
        #expect(try await farm.send(.post, path + "/rotate?overlap=604801").status == .badRequest)
        #expect(try await farm.send(.delete, path).status == .noContent)
        #expect(try await farm.send(.get, path).status == .notFound)
    }

    @Test(
        "What cannot be a webhook is refused, and the message says what to do",
        arguments: [
            (#"{}"#, "address"), (#"{"address":"ftp://example.com/"}"#, "https://"),
            (#"{"address":"http://example.com/"}"#, "is not among the addresses that this farm sends to (receiverAddresses): "),
            (#"{"address":"https://user:word@example.com/"}"#, "user name"),
            (
                #"{"address":"https://example.com/\#(String(repeating: "a", count: 2000))"}"#,
                "an address has at most 2000 bytes, not 2020"
            ),
            (#"{"address":"s3://bucket/key"}"#, "https://"), (#"{"address":"https://example.com/a b"}"#, "%20"),
            (#"{"address":"https://example.com/","events":[]}"#, "a webhook has one or more of the events "),
            (#"{"address":"https://example.com/","events":["export.failed","export.failed"]}"#, "each once"),
            (#"{"address":"https://example.com/","events":["webhook.test"]}"#, "export.completed"),
            (#"{"address":"https://example.com/","events":["export.ended"]}"#, "events"),
            (#"{"address":"https://example.com/","progressStep":0}"#, "1...50"),
            (#"{"address":"https://example.com/","progressStep":51}"#, "1...50"),
            (
                #"{"address":"https://example.com/","secret":"whsec_short"}"#,
                "24...64 bytes in base64; leave it out, and the farm makes one"
            ),
            (#"{"address":"https://example.com/","label":"a\u0000b"}"#, "has a NUL character in it"),
            (#"{"address":"https://example.com/","url":"x"}"#, "url"),
        ])
    func refused(body: String, words: String) async throws {
        let answer = try await create(try await Farm(), body)
        #expect(answer.status == .badRequest)
        #expect(answer.fault?.detail.contains(words) == true, "\(answer.text)")
    }

    @Test("A secret that a client brings is used")
    func ownSecret() async throws {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        let answer = try await create(
            try await Farm(), #"{"address":"https://example.com/","secret":"\#(secret)","events":["export.progress"]}"#)
        #expect(try answer.json(IssuedWebhook.self).secret == secret)
    }

    @Test("A tenant's webhooks and deliveries do not exist for another tenant; the operator sees them")
    func tenancy() async throws {
        let farm = try await Farm()
        let id = try await create(farm, #"{"address":"https://example.com/"}"#).json(IssuedWebhook.self).webhook.id
        let test = try await farm.send(.post, "/v1/webhooks/\(id)/test")
        #expect(test.status == .accepted)
        let delivery = try test.json(WebhookDelivery.self)
        #expect(delivery.event == .test && delivery.state == .pending && delivery.export == nil)
        let again = "/v1/webhooks/\(id)/deliveries/\(delivery.id)/redeliver"
        for answer in [
            try await farm.send(.get, "/v1/webhooks/\(id)", as: "other"),
            try await farm.send(.patch, "/v1/webhooks/\(id)", as: "other", body: #"{"label":"x"}"#),
            try await farm.send(.delete, "/v1/webhooks/\(id)", as: "other"),
            try await farm.send(.post, "/v1/webhooks/\(id)/rotate", as: "other"),
            try await farm.send(.post, "/v1/webhooks/\(id)/test", as: "other"),
            try await farm.send(.get, "/v1/webhooks/\(id)/deliveries", as: "other"),
            try await farm.send(.post, again, as: "other"),
        ] {
            #expect(answer.status == .notFound)
        }
        #expect(try await farm.send(.get, "/v1/webhooks", as: "other").json(Listing<Webhook>.self).items.isEmpty)
        #expect(try await farm.send(.get, "/v1/webhooks", as: "admin").json(Listing<Webhook>.self).items.count == 1)
        #expect(try await farm.send(.post, again).status == .accepted)
        #expect(try await farm.send(.post, "/v1/webhooks/\(id)/deliveries/999/redeliver").status == .notFound)
        #expect(try await farm.send(.post, "/v1/webhooks/\(id)/deliveries/x/redeliver").status == .notFound)
    }

    @Test("A disabled webhook cannot be tested; the end of an export is listed, by state")
    func listing() async throws {
        let farm = try await Farm()
        let id = try await create(farm, #"{"address":"https://example.com/"}"#).json(IssuedWebhook.self).webhook.id
        let export = try await farm.submit()
        #expect(try await farm.send(.post, "/v1/exports/\(export.id)/cancel").status == .ok)
        let path = "/v1/webhooks/\(id)/deliveries"
        let listed = try await farm.send(.get, path + "?state=pending&limit=5").json(Listing<WebhookDelivery>.self).items
        #expect(listed.map(\.export) == [export.id] && listed.map(\.event) == [.cancelled])
        let off = try await farm.send(.patch, "/v1/webhooks/\(id)", body: #"{"isEnabled":false}"#).json(Webhook.self)
        #expect(!off.isEnabled)
        let disabled = try await farm.send(.post, "/v1/webhooks/\(id)/test")
        #expect(disabled.status == .conflict && disabled.fault?.detail == "webhook \(id) is disabled; enable it first")
        #expect(try await farm.send(.get, path + "?state=pending").json(Listing<WebhookDelivery>.self).items.isEmpty)
        #expect(try await farm.send(.get, path + "?state=failed").json(Listing<WebhookDelivery>.self).items.count == 1)
        #expect(try await farm.send(.get, path + "?state=gone").status == .badRequest)
        #expect(try await farm.send(.patch, "/v1/webhooks/\(id)", body: "{}").status == .badRequest)
        #expect(try await farm.send(.patch, "/v1/webhooks/999", body: #"{"isEnabled":true}"#).status == .notFound)
    }
}
