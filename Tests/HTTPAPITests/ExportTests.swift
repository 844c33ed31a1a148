import Coordinator
import ExportPlan
import FarmAPI
import HTTPAPI
import HTTPTypes
import JobQueue
import TestServer
import TestSupport
import Testing
import FoundationEssentials

@Suite("An export")
struct ExportTests {
    @Test("Exports are listed by state, newest first, up to the limit")
    func listing() async throws {
        let farm = try await Farm()
        let first = try await farm.submit()
        let second = try await farm.submit()
        _ = try await farm.send(.post, "/v1/exports/\(first.id)/cancel")
        func ids(_ query: String) async throws -> [ExportID] {
            try await farm.send(.get, "/v1/exports\(query)").json(Listing<Export>.self).items.map(\.id)
        }
        #expect(try await ids("") == [second.id, first.id])
        #expect(try await ids("?state=cancelled") == [first.id])
        #expect(try await ids("?limit=1") == [second.id])
        for query in ["?state=done", "?limit=0", "?limit=x", "?order=up"] {
            #expect(try await farm.send(.get, "/v1/exports\(query)").status == .badRequest)
        }
        #expect(try await farm.send(.get, "/v1/exports/nonsense").status == .notFound)
    }

    @Test("An export is cancelled once, its workers are told and the leader is woken")
    func cancelling() async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        try await farm.plan(export)
        let ticket = try await farm.take(export)
        let before = farm.wakeCount
        let answer = try await farm.send(.post, "/v1/exports/\(export.id)/cancel")
        #expect(try answer.json(Export.self).state == .cancelled)
        #expect(farm.wakeCount == before + 1)
        let running = WorkerStatus.Running(
            job: ticket.job, attempt: ticket.attempt, kind: .video, done: 1, total: 30, startedAt: Date())
        #expect(
            try await farm.queue.heartbeat(Farm.worker(running: [running]), lifetime: .seconds(5)).cancelled == [ticket.identity])
        let again = try await farm.send(.post, "/v1/exports/\(export.id)/cancel")
        #expect(again.status == .conflict)
        #expect(again.fault?.detail == "the export is over already: it is cancelled")
    }

    @Test("A rerun is a new export of the same draft, also after the first has ended")
    func rerunning() async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        _ = try await farm.send(.post, "/v1/exports/\(export.id)/cancel")
        let answer = try await farm.send(.post, "/v1/exports/\(export.id)/rerun")
        #expect(answer.status == .created)
        let again = try answer.json(Export.self)
        #expect(again.id != export.id)
        #expect(again.state == .submitted)
        #expect(try await farm.store.exportsToCompile(limit: 1).first?.source.document == Farm.draft)
        #expect(try await farm.send(.post, "/v1/exports/\(AccessTests.nobody)/rerun").status == .notFound)
    }

    @Test("A rerun keeps the priority, and one above the tenant's cap is an operator's alone")
    func rerunningUrgent() async throws {
        let farm = try await Farm()
        let one = try #require(try await farm.store.tenants().first { $0.name == "one" })
        let request = ExportRequest(.document(Farm.draft), label: "urgent", priority: 100, mayExceedCap: true)
        let export = try await farm.store.submit(request, id: ExportID(), tenant: one.id, idempotency: nil).export
        let refused = try await farm.send(.post, "/v1/exports/\(export.id)/rerun")
        #expect(refused.status == .forbidden)
        #expect(refused.fault?.detail.contains("the cap of the tenant 'one'") == true)
        let again = try await farm.send(.post, "/v1/exports/\(export.id)/rerun", as: "admin")
        #expect(again.status == .created)
        let urgent = try again.json(Export.self)
        #expect(urgent.priority == 100)
        #expect(urgent.tenant == one.id)
    }

    @Test("An export shows its jobs and their attempts, and a failed job is retried once")
    func jobs() async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        try await farm.plan(export)
        try await farm.fail(try await farm.take(export))
        let listed = try await farm.send(.get, "/v1/jobs?export=\(export.id)&role=video").json(Listing<Job>.self).items
        let job = try #require(listed.first)
        #expect(listed.count == 1)
        #expect(job.state == .failed)
        let detail = try await farm.send(.get, "/v1/jobs/\(job.id)").json(JobDetail.self)
        #expect(detail.attempts.count == 1)
        #expect(detail.attempts.first?.worker == "w1")
        #expect(detail.attempts.first?.failure?.message == "is damaged")
        #expect(try await farm.send(.get, "/v1/exports/\(export.id)").json(Export.self).failure?.job == job.id)
        let before = farm.wakeCount
        let retried = try await farm.send(.post, "/v1/jobs/\(job.id)/retry")
        #expect(try retried.json(JobDetail.self).job.state == .ready)
        #expect(farm.wakeCount == before + 1)
        #expect(try await farm.send(.post, "/v1/jobs/\(job.id)/retry").status == .conflict)
        #expect(try await farm.send(.get, "/v1/exports/\(export.id)").json(Export.self).state == .rendering)
        for path in ["/v1/jobs/999", "/v1/jobs/x", "/v1/jobs?export=x"] {
            #expect(try await farm.send(.get, path).status == .notFound)
        }
        #expect(try await farm.send(.get, "/v1/jobs?state=odd").status == .badRequest)
    }

    @Test("A client that watches an export gets all its events, and then the stream ends")
    func events() async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        try await farm.plan(export)
        async let watched = farm.send(.get, "/v1/exports/\(export.id)/events")
        try await farm.finish(try await farm.take(export))
        try await farm.finish(try await farm.take(export, kind: .stitch))
        let answer = try await watched
        #expect(answer.headers[.contentType] == "text/event-stream")
        let events = try answer.text.split(separator: "\n\n").map(ServerSentEvent.init)
        let happened = try events.filter { $0.name == "happened" }.map { try $0.json(ExportEvent.self) }
        #expect(happened.map(\.kind).first == .submitted)
        #expect(happened.map(\.kind).last == .completed)
        #expect(happened.map(\.id) == happened.map(\.id).sorted())
        let last = try #require(events.last { $0.name == "export" })
        #expect(try last.json(Export.self).state == .completed)

        let name = try #require(HTTPField.Name("Last-Event-ID"))
        let middle = try #require(happened.dropLast().last)
        let rest = try await farm.send(.get, "/v1/exports/\(export.id)/events", headers: [name: "\(middle.id)"])
        let missed = try rest.text.split(separator: "\n\n").map(ServerSentEvent.init).filter { $0.name == "happened" }
        #expect(try missed.map { try $0.json(ExportEvent.self).kind } == [.completed])
    }

    @Test("A stream of events ends when its token is revoked")
    func revokedWhileWatching() async throws {
        var options = Farm.quickOptions
        options.tokenInterval = .milliseconds(1)
        let farm = try await Farm(options: options)
        let export = try await farm.submit()
        async let watched = farm.send(.get, "/v1/exports/\(export.id)/events", as: "both")
        while farm.service.notifier.watchers(of: export.id) == 0 { try await nextLook() }
        let token = try #require(try await farm.store.tokens().first { $0.name == "both" })
        #expect(try await farm.store.revokeToken(token.id))
        let answer = try await watched
        #expect(answer.status == .ok && answer.text.contains("event: export"))
        #expect(try await farm.send(.get, "/v1/exports/\(export.id)/events", as: "both").status == .unauthorized)
    }
}

/// One event of a stream.
private struct ServerSentEvent {
    var name = ""
    var data = ""

    init(_ text: some StringProtocol) throws {
        for line in text.split(separator: "\n") {
            if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
            if line.hasPrefix("data: ") { data = String(line.dropFirst(6)) }
        }
    }

    func json<Value: Decodable>(_ type: Value.Type) throws -> Value { try FarmJSON.decode(type, from: Data(data.utf8)) }
}
