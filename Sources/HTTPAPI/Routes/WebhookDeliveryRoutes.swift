import Coordinator
import FarmAPI
import Hummingbird
import FoundationEssentials

/// Lists what was sent to a webhook, sends it again, and tests a webhook.
struct WebhookDeliveryRoutes {
    let store: any WebhookStore

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .post, "/v1/webhooks/:id/test", "testWebhook",
                "Queues a message of the type `webhook.test`. It is sent once, whatever the answer.",
                scopes: [.submit], parameters: [.webhook], answers: [.json(WebhookDelivery.self, "the delivery", status: 202)],
                faults: [.notFound, .conflict]), use: test)
        router.add(
            RouteDescription(
                .get, "/v1/webhooks/:id/deliveries", "listDeliveries",
                "Lists the deliveries of a webhook, the newest first, with what their last attempts led to.", scopes: [.read],
                parameters: [.webhook],
                query: [.choice("state", WebhookDeliveryState.self, "only deliveries in this state")] + QueryParameter.page,
                answers: [.json(Listing<WebhookDelivery>.self, "a listing of deliveries")], faults: [.badRequest, .notFound]),
            use: list)
        router.add(
            RouteDescription(
                .post, "/v1/webhooks/:id/deliveries/:delivery/redeliver", "redeliver",
                "Sends a delivery again, with the same `webhook-id`; one that is pending is sent now.", scopes: [.submit],
                parameters: [.webhook, .delivery], answers: [.json(WebhookDelivery.self, "the delivery", status: 202)],
                faults: [.notFound, .conflict]), use: redeliver)
    }

    @Sendable private func test(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let id = try context.number("webhook")
        guard let delivery = try await store.testWebhook(id, tenant: caller.visibleTenant) else {
            throw RequestFault.noWebhook(id)
        }
        return try .json(delivery, status: .accepted)
    }

    @Sendable private func list(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let query = try request.query("state", "limit", "cursor")
        let page = try Page(query)
        let state = try query.choice("state", WebhookDeliveryState.self)
        let webhook = try await webhook(caller, context)
        let deliveries = try await store.deliveries(
            of: webhook, state: state, before: try page.number(), limit: page.asked)
        return try .json(page.listing(deliveries) { "\($0.id)" })
    }

    @Sendable private func redeliver(
        _ request: Request, _ caller: Caller, _ context: FarmRequestContext
    ) async throws -> Response {
        let text = try context.parameters.require("delivery")
        let webhook = try await webhook(caller, context)
        guard let id = Int64(text), let delivery = try await store.redeliver(id, of: webhook) else {
            throw RequestFault(.notFound, "webhook \(webhook) has no delivery \(text)")
        }
        return try .json(delivery, status: .accepted)
    }

    /// The number of a webhook that the caller may see.
    private func webhook(_ caller: Caller, _ context: FarmRequestContext) async throws -> Int64 {
        let id = try context.number("webhook")
        guard try await store.webhook(id, tenant: caller.visibleTenant) != nil else { throw RequestFault.noWebhook(id) }
        return id
    }
}

extension PathParameter {
    fileprivate static let delivery = PathParameter(
        name: "delivery", meaning: "the delivery's number", example: "999", schema: .integer)
}
