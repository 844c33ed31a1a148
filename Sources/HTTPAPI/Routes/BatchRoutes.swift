import Coordinator
import DraftModel
import FarmAPI
import HTTPTypes
import Hummingbird
import JobQueue
import Logging
import Telemetry
import FoundationEssentials

/// Submits, shows, lists, cancels and reruns batches. `BatchResultRoutes` has their manifests.
struct BatchRoutes {
    let service: FarmService

    private var store: any FarmStore { service.store }

    func add(to router: inout DescribedRouter) {
        router.add(BatchRoutes.submission, use: submit)
        router.add(
            RouteDescription(
                .get, "/v1/batches", "listBatches", "Lists batches, the newest first.", scopes: [.read],
                query: [.choice("state", BatchState.self, "only batches in this state")] + QueryParameter.page,
                answers: [.json(Listing<Batch>.self, "a listing of batches")], faults: [.badRequest]), use: list)
        router.add(
            RouteDescription(
                .get, "/v1/batches/:id", "getBatch", "Shows a batch and how many of its rows are where.", scopes: [.read],
                parameters: [.batch], answers: [.json(Batch.self, "the batch")], faults: [.notFound]), use: show)
        router.add(
            RouteDescription(
                .post, "/v1/batches/:id/cancel", "cancelBatch",
                "Cancels the rows of a batch that wait, and its exports that have not ended. A repeated request goes on where an "
                    + "interrupted one stopped.",
                scopes: [.submit], parameters: [.batch], answers: [.json(Batch.self, "the batch")],
                faults: [.notFound, .conflict]),
            use: cancel)
        router.add(
            RouteDescription(
                .post, "/v1/batches/:id/rerun", "rerunBatch",
                "Submits the failed rows of a batch again, with the same values and at the same pace. The batch runs again, and "
                    + "its manifest has the new exports; the failed ones keep their records.",
                scopes: [.submit], parameters: [.batch], answers: [.json(Batch.self, "the batch")],
                faults: [.notFound, .conflict]),
            use: rerun)
    }

    private static let submission = RouteDescription(
        .post, "/v1/batches", "submitBatch",
        "Submits a batch: one template, and a row of values for each export ([batches.md](batches.md)). Every row is checked "
            + "before anything is accepted; a fault of a row has the path `rows[16].lang`, counted from 0.",
        scopes: [.submit],
        headers: [
            RequestHeader(
                "Idempotency-Key",
                "1...255 printable ASCII characters without spaces. A request that repeats the key of an earlier one makes nothing "
                    + "new and answers 200 with the batch that exists", RequestHeader.idempotencyKey.schema)
        ],
        body: .json(
            BatchSubmission.Options.self, "either `document` or `draft`, `rows`, and options",
            [
                .init("document", "the template, a draft document ([draft.md](draft.md)) as JSON"),
                .init("draft", "the name of a draft in the library, instead of a document", PathParameter.draft.schema),
                .init("revision", "the revision of that draft, by default the newest", .integer(1...Int(Int32.max))),
                .init(
                    "rows",
                    "1...100000 objects of texts, numbers and booleans: the values of merge fields, by column. A batch that does not "
                        + "fit into one body is submitted as several", .array(of: .object, 1...100_000)),
                .init("parameters", "an object of texts, numbers and booleans: values for all rows"),
                .init("settings", "an object of texts, numbers and booleans: the exports' settings"),
                .init(
                    "output",
                    "the name of each film's file, with merge fields for columns and `{{row}}`; by default the row's number. Its "
                        + "suffix gives the file type"),
                .init("tags", "an object of texts: the exports' tags, whose values may have merge fields for columns"),
                .init("metadata", "any JSON object of at most 16384 bytes: the exports' metadata", .object),
                .init("label", "1...500 characters, a name for people; by default the draft's title or name", .string(1...500)),
                .init("priority", "-100...100, as for an export", .integer(-100...100)),
                .init("pool", "only workers of this pool take the jobs; by default `default`", PathParameter.tenant.schema),
                .init(
                    "pace", "0.01...1000000: at most this many exports per minute are submitted; by default no limit",
                    .number(0.01...1_000_000)),
                .init("partial", "whether rows without faults are accepted when others have faults; by default false"),
            ]),
        answers: [
            .json(Batch.self, "the batch, with its address in `Location`", status: 201, headers: [.location]),
            .json(Batch.self, "the batch that the same `Idempotency-Key` made before"),
        ],
        faults: [.badRequest, .notFound, .conflict, .tooLarge, .invalid])

    @Sendable private func submit(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let key = try request.idempotencyKey()
        let body = try await request.bytes(
            upTo: service.options.documentLimit, context, remedy: "submit its rows as several batches")
        let id = BatchID()
        let new = try await BatchCheck(service.submissionCheck(tenant: caller.tenant)).accepted(
            body, id: id, key: key, isOperator: caller.isOperator)
        let (batch, isNew) = try await store.submit(new)
        if isNew {
            service.wake()
            context.logger.info(
                "the batch is accepted", metadata: ["batch": "\(batch.id)", "rows": "\(batch.progress.rows)"])
        }
        return try .json(batch, status: isNew ? .created : .ok, headers: [.location: "/v1/batches/\(batch.id)"])
    }

    @Sendable private func list(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let query = try request.query("state", "limit", "cursor")
        let page = try Page(query)
        let batches = try await store.batches(
            tenant: caller.visibleTenant, state: try query.choice("state", BatchState.self), before: try page.number(),
            limit: page.asked)
        return try .json(page.listing(batches) { "\($0.number)" })
    }

    @Sendable private func show(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        return try .json(try await store.batch(of: context, caller))
    }

    /// How many exports are cancelled before the next ones are read.
    private static let cancelledAtOnce = 500

    @Sendable private func cancel(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let batch = try await store.batch(of: context, caller)
        guard batch.state == .running else {
            throw RequestFault(.conflict, "the batch is over already: it is \(batch.state.rawValue)")
        }
        while let exports = try await store.cancelWaiting(batch.id, limit: BatchRoutes.cancelledAtOnce), !exports.isEmpty {
            for export in exports { _ = try await ExportActions(service: service).stop(export, context) }
        }
        service.wake()
        context.logger.info("the batch has been cancelled", metadata: ["batch": "\(batch.id)"])
        return try .json(try await store.batch(of: context, caller))
    }

    @Sendable private func rerun(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let batch = try await store.batch(of: context, caller)
        let count = try await store.rerunFailed(batch.id)
        guard count > 0 else { throw RequestFault(.conflict, "no row of the batch has failed, so there is nothing to rerun") }
        service.wake()
        context.logger.info("failed rows run again", metadata: ["batch": "\(batch.id)", "rows": "\(count)"])
        return try .json(try await store.batch(of: context, caller))
    }
}

extension BatchStore {
    /// The batch that the address names, if the caller may see it.
    func batch(of context: FarmRequestContext, _ caller: Caller) async throws -> Batch {
        let id = try BatchID(checking: try context.parameters.require("id"))
        guard let batch = try await batch(id, tenant: caller.visibleTenant) else {
            throw RequestFault(.notFound, "there is no batch \(id)")
        }
        return batch
    }
}

extension PathParameter {
    static let batch = PathParameter(
        name: "id", meaning: "the batch's id", example: "00000000-0000-0000-0000-000000000000", schema: BatchID.schema)
}
