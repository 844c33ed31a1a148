import Coordinator
import ExportPlan
import FarmAPI
import Hummingbird
import FoundationEssentials

/// Creates, lists, changes and removes a tenant's webhooks, and replaces their secrets.
struct WebhookRoutes {
    let store: any WebhookStore
    /// The addresses that webhooks may have.
    let receivers: AddressList

    func add(to router: inout DescribedRouter) {
        addReading(to: &router)
        router.add(
            RouteDescription(
                .post, "/v1/webhooks", "createWebhook",
                "Creates a webhook ([webhooks.md](webhooks.md)). Only this answer and that of a rotation have the secret.",
                scopes: [.submit],
                body: .json(
                    NewWebhook.self, "the webhook",
                    [
                        .init("address", "where messages are sent to: an `https` address that the farm allows"),
                        .init("label", "at most 500 characters, a name for people", .string(0...500)),
                        .init(
                            "events",
                            "one or more of \(WebhookRoutes.events), each once; by default `export.completed`, `export.failed` and "
                                + "`export.cancelled`", WebhookRoutes.eventSchema),
                        .init(
                            "progressStep",
                            "1...50, by default 25: `export.progress` is sent at each multiple of this many percent",
                            .integer(1...50)),
                        .init("secret", "`whsec_` and 24...64 bytes in base64; by default the farm makes one"),
                    ]),
                answers: [
                    .json(
                        IssuedWebhook.self, "the webhook and its secret, with its address in `Location`", status: 201,
                        headers: [.location])
                ],
                faults: [.badRequest, .conflict, .tooLarge]), use: create)
        router.add(
            RouteDescription(
                .patch, "/v1/webhooks/:id", "changeWebhook",
                "Changes a webhook, at once. One that is disabled gets no new deliveries, and those that are pending fail.",
                scopes: [.submit], parameters: [.webhook],
                body: .json(
                    WebhookChange.self, "what changes",
                    [
                        .init("address", "where messages are sent to"),
                        .init("label", "at most 500 characters", .string(0...500)),
                        .init("events", "one or more of \(WebhookRoutes.events), each once", WebhookRoutes.eventSchema),
                        .init("progressStep", "1...50 percent", .integer(1...50)),
                        .init("isEnabled", "false disables it, and true enables it again"),
                    ]),
                answers: [.json(Webhook.self, "the webhook")], faults: [.badRequest, .notFound, .tooLarge]), use: change)
        router.add(
            RouteDescription(
                .post, "/v1/webhooks/:id/rotate", "rotateWebhookSecret",
                "Replaces the secret. Messages are signed with the former one, too, until `overlap` has passed.",
                scopes: [.submit], parameters: [.webhook],
                query: [
                    QueryParameter(
                        "overlap", "0...604800", default: "86400", "seconds that the former secret stays valid",
                        .integer(0...604_800))
                ],
                answers: [.json(IssuedWebhook.self, "the webhook and its new secret")], faults: [.badRequest, .notFound]),
            use: rotate)
        router.add(
            RouteDescription(
                .delete, "/v1/webhooks/:id", "removeWebhook", "Removes a webhook. Nothing more is sent to it.", scopes: [.submit],
                parameters: [.webhook], answers: [RouteAnswer(204, nil, "the webhook is gone")], faults: [.notFound]), use: remove
        )
    }

    private func addReading(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/webhooks", "listWebhooks", "Lists webhooks in the order in which they were created.", scopes: [.read],
                query: QueryParameter.page, answers: [.json(Listing<Webhook>.self, "a listing of webhooks")],
                faults: [.badRequest]), use: list)
        router.add(
            RouteDescription(
                .get, "/v1/webhooks/:id", "getWebhook", "Shows a webhook.", scopes: [.read], parameters: [.webhook],
                answers: [.json(Webhook.self, "the webhook")], faults: [.notFound]), use: show)
    }

    private static let eventSchema = JSONSchema.array(
        of: .choice(WebhookEvent.choices.map(\.rawValue)), 1...WebhookEvent.choices.count
    ).with("uniqueItems", true)
    private static let events = WebhookEvent.choices.map { "`\($0.rawValue)`" }.joined(separator: ", ")

    @Sendable private func create(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let wanted = try await request.body(NewWebhook.self, context)
        try WebhookCheck.new(wanted, receivers)
        let secret = wanted.secret ?? WebhookSecret().text
        let webhook = try await store.createWebhook(wanted, secret: secret, tenant: caller.tenant)
        return try .json(
            IssuedWebhook(webhook, secret: secret), status: .created,
            headers: [.location: "/v1/webhooks/\(webhook.id)", .cacheControl: "no-store"])
    }

    @Sendable private func list(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let page = try Page(try request.query("limit", "cursor"))
        let after = try page.number() ?? 0
        let webhooks = try await store.webhooks(tenant: caller.visibleTenant).filter { $0.id > after }.sorted { $0.id < $1.id }
        return try .json(page.listing(webhooks) { "\($0.id)" })
    }

    @Sendable private func show(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let id = try context.number("webhook")
        return try .json(try found(await store.webhook(id, tenant: caller.visibleTenant), id))
    }

    @Sendable private func change(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let id = try context.number("webhook")
        let wanted = try await request.body(WebhookChange.self, context)
        try WebhookCheck.change(wanted, receivers)
        return try .json(try found(await store.changeWebhook(id, wanted, tenant: caller.visibleTenant), id))
    }

    @Sendable private func rotate(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let id = try context.number("webhook")
        let overlap = try request.query("overlap").integer("overlap", in: 0...604_800) ?? 86_400
        let secret = WebhookSecret().text
        let webhook = try found(
            await store.rotateSecret(of: id, to: secret, overlap: Double(overlap), tenant: caller.visibleTenant), id)
        return try .json(IssuedWebhook(webhook, secret: secret), headers: [.cacheControl: "no-store"])
    }

    @Sendable private func remove(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let id = try context.number("webhook")
        guard try await store.removeWebhook(id, tenant: caller.visibleTenant) else { throw RequestFault.noWebhook(id) }
        return Response(status: .noContent)
    }

    private func found(_ webhook: Webhook?, _ id: Int64) throws -> Webhook {
        guard let webhook else { throw RequestFault.noWebhook(id) }
        return webhook
    }
}

extension RequestFault {
    static func noWebhook(_ id: Int64) -> RequestFault { RequestFault(.notFound, "there is no webhook \(id)") }
}

extension PathParameter {
    static let webhook = PathParameter(name: "id", meaning: "the webhook's number", example: "999", schema: .integer)
}
