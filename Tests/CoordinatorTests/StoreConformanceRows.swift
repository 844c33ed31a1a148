import DraftModel
import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Testing
import FoundationEssentials

@Suite("Every store: batches of rows")
struct StoreConformanceRows {
    /// A batch of rows named `a`, `b` and so on.
    private static func batch(
        _ names: String, tenant: Int64, refused: [BatchRows.Refused] = [], pace: Double? = nil, priority: Int? = nil,
        mayExceedCap: Bool = false, key: (String, String)? = nil
    ) -> NewBatch {
        let request = ExportRequest(
            .document(#"{"title": "{{name}}"}"#), label: "greetings", parameters: ["all": "x"], settings: ["crf": "20"],
            priority: priority, mayExceedCap: mayExceedCap, pool: "gpu", tags: ["customer": "acme"],
            metadata: .object(["order": .number(7)]))
        let rows = names.enumerated().map { place, name in
            BatchRow(
                number: place + 1, values: ["name": "\(name)", "note": "n"], output: "\(name).mp4",
                tags: ["customer": "acme", "name": "\(name)"])
        }
        return NewBatch(
            request, id: BatchID(), tenant: tenant, columns: ["all", "name"], pace: pace, rows: rows, refused: refused,
            idempotency: key.map { NewExport.Idempotency(key: $0.0, bodyHash: $0.1) })
    }

    /// Submits all waiting rows of all batches.
    /// - Returns: the exports of a batch, in the order of its rows.
    private static func release(_ farm: StoreFixture, _ id: BatchID) async throws -> [ExportID] {
        while try await farm.store.releaseRows(at: farm.now) > 0 {}
        return try await farm.store.results(of: id, after: 0, state: nil, limit: 1000).compactMap(\.export)
    }

    private static func states(_ farm: StoreFixture, _ id: BatchID) async throws -> [BatchRowState] {
        try await farm.store.results(of: id, after: 0, state: nil, limit: 1000).map(\.state)
    }

    private static func batch(_ farm: StoreFixture, _ id: BatchID) async throws -> Batch {
        try #require(try await farm.store.batch(id, tenant: farm.tenant))
    }

    @Test("Rows become exports with the batch's settings, their own values and their own tags", arguments: StoreKind.allCases)
    func released(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let new = StoreConformanceRows.batch("ab", tenant: farm.tenant)
            let (batch, isNew) = try await farm.store.submit(new)
            #expect(isNew && batch.id == new.id && batch.state == .running && batch.label == "greetings")
            #expect(batch.progress == BatchProgress(rows: 2, waiting: 2) && batch.endedAt == nil)
            #expect(try await farm.store.exports(ExportFilter(limit: 10)).isEmpty)
            #expect(try await farm.store.hasWaitingRows())
            let exports = try await StoreConformanceRows.release(farm, new.id)
            #expect(try await farm.store.hasWaitingRows() == false)
            #expect(exports.count == 2)
            #expect(try await StoreConformanceRows.batch(farm, new.id).progress == BatchProgress(rows: 2))
            let export = try await farm.export(exports[1])
            #expect(export.label == "b.mp4" && export.pool == "gpu" && export.state == .submitted && export.priority == 0)
            #expect(export.tags == ["customer": "acme", "name": "b"] && export.metadata == .object(["order": .number(7)]))
            #expect(export.batch == BatchRowReference(id: new.id, row: 2))
            #expect(try await farm.eventKinds(exports[1]) == [.submitted])
            let source = try #require(try await farm.store.source(of: exports[1]))
            #expect(source.document == #"{"title": "{{name}}"}"# && source.settings == ["crf": "20"])
            #expect(source.parameters == ["all": "x", "name": "b"], "a column that is no merge field is no parameter")
            #expect(
                try await farm.store.exports(ExportFilter(tenant: farm.tenant, batch: new.id, limit: 10)).map(\.id)
                    == exports.reversed())
        }
    }

    @Test("A batch ends with its last export, once, in the state that follows from all", arguments: StoreKind.allCases)
    func ended(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            let new = StoreConformanceRows.batch("abc", tenant: farm.tenant)
            _ = try await store.submit(new)
            let exports = try await StoreConformanceRows.release(farm, new.id)
            _ = try await store.fail(exports[0], ExportFailure(.input, message: "no such clip"))
            _ = try await store.cancel(exports[1])
            var batch = try await StoreConformanceRows.batch(farm, new.id)
            #expect(
                batch.state == .running && batch.endedAt == nil && batch.progress.failed == 1 && batch.progress.cancelled == 1)
            try await farm.complete(exports[2])
            batch = try await StoreConformanceRows.batch(farm, new.id)
            #expect(batch.state == .failed && batch.progress.completed == 1 && batch.progress.ended == 3)
            let end = try #require(batch.endedAt)
            // What comes late changes nothing.
            _ = try await store.cancel(exports[2])
            _ = try await store.fail(exports[1], ExportFailure(.input, message: "late"))
            #expect(try await StoreConformanceRows.batch(farm, new.id).endedAt == end)
            let results = try await store.results(of: new.id, after: 0, state: nil, limit: 10)
            #expect(results.map(\.state) == [.failed, .cancelled, .completed])
            #expect(results.map(\.message) == ["no such clip", nil, nil])
            #expect(results.map(\.output) == ["a.mp4", "b.mp4", "c.mp4"])
            #expect(results.map { $0.values["note"] } == ["n", "n", "n"])
            #expect(try await store.results(of: new.id, after: 1, state: nil, limit: 1).map(\.row) == [2])
            #expect(try await store.results(of: new.id, after: 0, state: .completed, limit: 10).map(\.row) == [3])
            #expect(try await store.batches(tenant: farm.tenant, state: .failed, before: nil, limit: 10).map(\.id) == [new.id])
            #expect(try await store.batches(tenant: farm.tenant, state: .running, before: nil, limit: 10).isEmpty)
        }
    }

    @Test("Webhooks that ask for it are told once of a batch's end, and again when a rerun ends", arguments: StoreKind.allCases)
    func told(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            let webhook = try await store.createWebhook(
                NewWebhook(address: "https://example.com/", events: [.batchEnded]), secret: StoreConformanceWebhooks.secret,
                tenant: farm.tenant
            ).id
            func told() async throws -> [WebhookDelivery] {
                try await store.deliveries(of: webhook, state: nil, before: nil, limit: 10)
            }
            let new = StoreConformanceRows.batch("ab", tenant: farm.tenant)
            _ = try await store.submit(new)
            let exports = try await StoreConformanceRows.release(farm, new.id)
            _ = try await store.fail(exports[0], ExportFailure(.input, message: "no such clip"))
            #expect(try await told().isEmpty)
            try await farm.complete(exports[1])
            #expect(try await told().map(\.event) == [.batchEnded])
            let due = try await store.dueDeliveries(at: farm.now + 10, perWebhook: 4, underWay: [:], limit: 10)
            let json = try #require(due.first?.content)
            let content = try #require(try JSONDecoder().decode(WebhookMessage.Content.self, from: Data(json.utf8)).batch)
            #expect(content.id == new.id && content.state == .failed && content.rows == 2)
            #expect(content.completed == 1 && content.failed == 1 && content.cancelled == 0)
            #expect(try await store.rerunFailed(new.id) == 1)
            let again = try await StoreConformanceRows.release(farm, new.id)
            try await farm.complete(again[0])
            #expect(try await told().count == 2)
        }
    }

    @Test("Only failed rows run again; the batch runs again and ends again", arguments: StoreKind.allCases)
    func rerun(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            let new = StoreConformanceRows.batch("ab", tenant: farm.tenant)
            _ = try await store.submit(new)
            let first = try await StoreConformanceRows.release(farm, new.id)
            #expect(try await store.rerunFailed(new.id) == 0)
            try await farm.complete(first[0])
            _ = try await store.fail(first[1], ExportFailure(.input, message: "no such clip"))
            #expect(try await StoreConformanceRows.batch(farm, new.id).state == .failed)
            #expect(try await store.rerunFailed(new.id) == 1)
            #expect(try await StoreConformanceRows.states(farm, new.id) == [.completed, .waiting])
            let again = try await StoreConformanceRows.batch(farm, new.id)
            #expect(again.state == .running && again.endedAt == nil && again.progress.waiting == 1 && again.progress.failed == 0)
            #expect(try await farm.export(first[1]).state == .failed, "the failed export keeps its record")
            #expect(try await farm.export(first[1]).batch == nil)
            let second = try await StoreConformanceRows.release(farm, new.id)
            #expect(second[0] == first[0] && second[1] != first[1])
            try await farm.complete(second[1])
            let ended = try await StoreConformanceRows.batch(farm, new.id)
            #expect(ended.state == .completed && ended.progress.completed == 2 && ended.endedAt != nil)
        }
    }

    @Test("An operator's retry of a failed export makes its batch run again", arguments: StoreKind.allCases)
    func retried(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            let new = StoreConformanceRows.batch("a", tenant: farm.tenant)
            _ = try await store.submit(new)
            let export = try #require(try await StoreConformanceRows.release(farm, new.id).first)
            try await store.startProbing(export, jobs: [])
            let film = SampleFilm(pictures: ["sea"], sounds: [])
            try await store.startRendering(
                export, PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount))
            let ticket = try await farm.dispatch(export, .video)
            _ = try await farm.fail(ticket, .input)
            #expect(try await StoreConformanceRows.batch(farm, new.id).state == .failed)
            try await store.retry(ticket.identity.job)
            let again = try await StoreConformanceRows.batch(farm, new.id)
            #expect(again.state == .running && again.endedAt == nil && again.progress.failed == 0)
            try await farm.work()
            #expect(try await StoreConformanceRows.batch(farm, new.id).state == .completed)
        }
    }

    @Test("A cancelled batch makes no more exports, and its open ones are named", arguments: StoreKind.allCases)
    func cancelled(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            // One export in a minute: the second row waits.
            let new = StoreConformanceRows.batch("abc", tenant: farm.tenant, pace: 1)
            _ = try await store.submit(new)
            #expect(try await store.releaseRows(at: farm.now) == 1)
            #expect(try await store.releaseRows(at: farm.now) == 0)
            let open = try #require(try await store.cancelWaiting(new.id, limit: 10))
            #expect(open.count == 1)
            #expect(try await StoreConformanceRows.states(farm, new.id) == [.submitted, .cancelled, .cancelled])
            #expect(try await StoreConformanceRows.batch(farm, new.id).state == .running)
            _ = try await store.cancel(open[0])
            #expect(try await store.cancelWaiting(new.id, limit: 10) == [])
            let batch = try await StoreConformanceRows.batch(farm, new.id)
            #expect(batch.state == .cancelled && batch.progress.cancelled == 3 && batch.endedAt != nil)
            #expect(try await store.releaseRows(at: farm.now + 3600) == 0)
            #expect(try await store.cancelWaiting(BatchID(), limit: 10) == nil)

            let waiting = StoreConformanceRows.batch("ab", tenant: farm.tenant)
            _ = try await store.submit(waiting)
            #expect(try await store.cancelWaiting(waiting.id, limit: 10) == [])
            #expect(try await StoreConformanceRows.batch(farm, waiting.id).state == .cancelled)
        }
    }

    @Test("A pace bounds how many exports any minute sees, and what was missed is not made up for", arguments: StoreKind.allCases)
    func pace(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let names = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN"
            let new = StoreConformanceRows.batch(names, tenant: farm.tenant, pace: 12)
            _ = try await farm.store.submit(new)
            let start = farm.now
            var released: [Double] = []
            for second in stride(from: 0.0, to: 60, by: 0.5) {
                for _ in 0..<(try await farm.store.releaseRows(at: start + second)) { released.append(second) }
            }
            #expect((11...13).contains(released.count))
            // The first row was due before `start`.
            let paced = released.dropFirst()
            #expect(zip(paced, paced.dropFirst()).allSatisfy { $1 - $0 >= 4.5 }, "one every 5 s: \(released)")
            #expect(try await farm.store.releaseRows(at: start + 600) <= 2, "no burst after ten minutes")
        }
    }

    @Test(
        "A batch with more rows than may be open at a time submits the others when these have ended",
        arguments: [StoreKind.postgres])
    func window(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let request = ExportRequest(.document("{}"), label: "many")
            let rows = (1...2600).map { BatchRow(number: $0, values: [:], output: "\($0).mp4", tags: [:]) }
            let new = NewBatch(request, id: BatchID(), tenant: farm.tenant, columns: [], rows: rows)
            _ = try await farm.store.submit(new)
            var counts: [Int] = []
            while case let count = try await farm.store.releaseRows(at: farm.now), count > 0 { counts.append(count) }
            #expect(counts == [500, 500, 500, 500])
            let open = try await farm.store.exports(ExportFilter(batch: new.id))
            for export in open { _ = try await farm.store.cancel(export.id) }
            #expect(try await farm.store.releaseRows(at: farm.now) == 100)
            _ = try await farm.store.cancelWaiting(new.id, limit: 1)
        }
    }

    @Test("An idempotency key gives the same batch for the same body, else an error", arguments: StoreKind.allCases)
    func idempotency(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            func submit(_ key: String, _ body: String) async throws -> (batch: Batch, isNew: Bool) {
                try await farm.store.submit(StoreConformanceRows.batch("a", tenant: farm.tenant, key: (key, body)))
            }
            let first = try await submit("k", "1")
            let again = try await submit("k", "1")
            #expect(first.isNew && !again.isNew && again.batch.id == first.batch.id)
            await expectRefusal(.conflict) { _ = try await submit("k", "2") }
            #expect(try await submit("l", "1").isNew)
            #expect(try await farm.store.batches(tenant: nil, state: nil, before: nil, limit: 10).count == 2)
        }
    }

    @Test("A batch without rows is refused", arguments: StoreKind.allCases)
    func empty(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let words = kind == .memory ? "a batch has at least one row" : "the database refused the change: "
            await expectRefusal(.invalid, saying: words) {
                _ = try await farm.store.submit(StoreConformanceRows.batch("", tenant: farm.tenant))
            }
            let stored = try await farm.store.batches(tenant: nil, state: nil, before: nil, limit: 10)
            #expect(stored.isEmpty)
        }
    }

    @Test("Refused rows are kept for the manifest and are never submitted", arguments: StoreKind.allCases)
    func refused(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let fault = DraftDiagnostic.ofRow(3, column: "speed", code: .outOfRange, "must be 1, not 9")
            let refused = BatchRows.Refused(number: 3, values: ["name": "c", "speed": "9"], faults: [fault])
            let new = StoreConformanceRows.batch("ab", tenant: farm.tenant, refused: [refused])
            let (batch, _) = try await farm.store.submit(new)
            #expect(batch.progress == BatchProgress(rows: 2, refused: 1, waiting: 2))
            let exports = try await StoreConformanceRows.release(farm, new.id)
            #expect(exports.count == 2)
            let row = try #require(try await farm.store.results(of: new.id, after: 2, state: nil, limit: 1).first)
            #expect(row.state == .refused && row.output == nil && row.message == "column 'speed': must be 1, not 9")
            for export in exports { try await farm.complete(export) }
            #expect(try await StoreConformanceRows.batch(farm, new.id).state == .completed)
        }
    }

    @Test("A batch's priority keeps to the cap at its release, unless an operator gave it", arguments: StoreKind.allCases)
    func caps(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            await expectRefusal(.forbidden) {
                _ = try await farm.store.submit(StoreConformanceRows.batch("a", tenant: farm.tenant, priority: 100))
            }
            #expect(try await farm.store.batches(tenant: nil, state: nil, before: nil, limit: 10).isEmpty)
            let own = StoreConformanceRows.batch("a", tenant: farm.tenant, priority: 50)
            let urgent = StoreConformanceRows.batch("a", tenant: farm.tenant, priority: 100, mayExceedCap: true)
            _ = try await farm.store.submit(own)
            _ = try await farm.store.submit(urgent)
            _ = try await farm.store.changeTenant("studio", weight: nil, priorityCap: 10)
            let exports = try await StoreConformanceRows.release(farm, own.id)
            #expect(try await farm.export(exports[0]).priority == 10)
            let others = try await StoreConformanceRows.release(farm, urgent.id)
            #expect(try await farm.export(others[0]).priority == 100)
        }
    }

    @Test("Another tenant does not see a batch", arguments: StoreKind.allCases)
    func tenancy(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let new = StoreConformanceRows.batch("a", tenant: farm.tenant)
            _ = try await farm.store.submit(new)
            let other = try await farm.store.createTenant("other", weight: 1).id
            #expect(try await farm.store.batch(new.id, tenant: other) == nil)
            #expect(try await farm.store.batches(tenant: other, state: nil, before: nil, limit: 10).isEmpty)
            #expect(try await farm.store.batch(new.id, tenant: nil) != nil)
        }
    }

    @Test("Exports are listed by their tags and metadata, and by both with a state", arguments: StoreKind.allCases)
    func tags(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            func submit(_ tags: [String: String], _ metadata: FreeJSON?) async throws -> ExportID {
                let request = ExportRequest(.document("{}"), label: "film", tags: tags, metadata: metadata)
                return try await farm.store.submit(request, id: ExportID(), tenant: farm.tenant, idempotency: nil).export.id
            }
            func list(_ filter: ExportFilter) async throws -> [ExportID] {
                var filter = filter
                filter.tenant = farm.tenant
                return try await farm.store.exports(filter).map(\.id)
            }
            let plain = try await submit([:], nil)
            let german = try await submit(
                ["lang": "de", "customer": "acme"], .object(["order": .object(["id": .number(7), "x": .null])]))
            let french = try await submit(["lang": "fr", "customer": "acme"], .object(["order": .object(["id": .number(8)])]))
            let untagged = try await farm.export(plain)
            #expect(untagged.tags == nil && untagged.metadata == nil)
            #expect(try await farm.export(german).tags == ["lang": "de", "customer": "acme"])
            #expect(try await farm.export(german).metadata == .object(["order": .object(["id": .number(7), "x": .null])]))
            #expect(try await list(ExportFilter(tags: ["customer": "acme"])) == [french, german])
            #expect(try await list(ExportFilter(tags: ["customer": "acme", "lang": "de"])) == [german])
            #expect(try await list(ExportFilter(tags: ["lang": "it"])) == [])
            #expect(try await list(ExportFilter(metadata: .object(["order": .object(["id": .number(7)])]))) == [german])
            _ = try await farm.store.cancel(german)
            #expect(try await list(ExportFilter(state: .cancelled, tags: ["customer": "acme"])) == [german])
        }
    }
}

extension StoreFixture {
    /// Completes an export, whose film is already there.
    fileprivate func complete(_ id: ExportID) async throws {
        try await store.startProbing(id, jobs: [])
        let film = SampleFilm(pictures: [id.text], sounds: [])
        try await store.startRendering(id, PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount))
        try await work()
    }
}
