import FarmAPI
import ExportPlan
import JobQueue
import Redis
import Synchronization
import TestSupport
import Testing

/// Entries in Redis that cannot be read: each is reported once, and everything else goes on.
@Suite("A queue with entries that cannot be read")
struct UnreadableEntryTests {
    @Test("lists the workers whose status it can read, and reports each other one once")
    func statuses() async throws {
        try await withQueue { queue, server, said in
            _ = try await queue.heartbeat(status("w1"), lifetime: .seconds(600))
            for (worker, text) in [("w2", "{\"id\":\"w2\"}"), ("w3", "\u{1B}[2J nonsense"), ("w4", "")] {
                _ = try await server.ask(["SADD", "spool:workers", worker])
                _ = try await server.ask(["SET", "spool:worker:\(worker)", text])
            }
            for _ in 0..<3 { #expect(try await queue.workers().map(\.id) == ["w1"]) }
            #expect(said().map(\.place) == ["spool:worker:w2", "spool:worker:w3", "spool:worker:w4"])
            #expect(said()[1].description.contains(#"\u{1B}[2J nonsense"#), "\(said()[1])")

            // A worker that can be read again may become unreadable again, which is news.
            _ = try await queue.heartbeat(status("w2"), lifetime: .seconds(600))
            #expect(try await queue.workers().map(\.id) == ["w1", "w2"])
            _ = try await server.ask(["SET", "spool:worker:w2", "[]"])
            #expect(try await queue.workers().map(\.id) == ["w1"])
            #expect(said().count == 4)
        }
    }

    @Test("delivers the reports behind them; one that names its attempt is a failed attempt", .timeLimit(.minutes(1)))
    func reports() async throws {
        try await withQueue { queue, server, said in
            try await queue.report(JobReport(AttemptID(job: 1, attempt: 1), worker: "w1", .started), finishing: nil)
            for text in ["rubbish", "{\"id\":{\"job\":2,\"attempt\":3},\"worker\":\"w7\",\"outcome\":{\"sang\":{}}}", "{}"] {
                _ = try await server.ask(["XADD", "spool:reports", "*", "json", text])
            }
            _ = try await server.ask(["XADD", "spool:reports", "*", "other", "field"])
            try await queue.report(JobReport(AttemptID(job: 4, attempt: 1), worker: "w1", .returned), finishing: nil)

            var reports: [ReportDelivery] = []
            while reports.count < 3 {
                let more = try await queue.reports(limit: 10, wait: .seconds(5))
                reports += more
                try await queue.acknowledge(more)
            }
            #expect(reports.map(\.report.id.job) == [1, 2, 4])
            #expect(reports[1].report.worker == "w7")
            #expect(reports[1].report.id.attempt == 3)
            guard case .failed(let failure) = reports[1].report.outcome else { Issue.record("\(reports[1])"); return }
            #expect(failure.failureClass == .crash)
            #expect(
                failure.message == "the worker's report cannot be read; run the same version of spool on all machines")
            #expect(said().count == 4)
            #expect(try await server.ask(["XPENDING", "spool:reports", "coordinators"]).hasPrefix("0"))
        }
    }

    @Test("delivers the tickets behind them and tells the coordinator of known attempts", .timeLimit(.minutes(1)))
    func tickets() async throws {
        try await withQueue { queue, server, said in
            let stream = "spool:jobs:video:default"
            for text in ["rubbish", "{\"job\":5,\"attempt\":2,\"kind\":\"dance\"}"] {
                _ = try await server.ask(["XADD", stream, "*", "json", text])
            }
            #expect(try await queue.held() == [AttemptID(job: 5, attempt: 2)])
            try await queue.send([probe(6)])
            var taken: [JobDelivery] = []
            while taken.isEmpty {
                taken = try await queue.take(
                    roles: [.video], pools: ["default"], worker: "w1", limit: 10, wait: .seconds(5))
            }
            #expect(taken.map(\.ticket.job) == [6])
            #expect(said().map(\.bytes.count) == [7, 36])
            let reports = try await queue.reports(limit: 10, wait: .seconds(5))
            #expect(reports.map(\.report.id) == [AttemptID(job: 5, attempt: 2)])
            guard case .failed(let failure) = reports.first?.report.outcome else { Issue.record("\(reports)"); return }
            // Another worker may run the version that can read it.
            #expect(failure.failureClass == .environment && failure.subject == "w1")
            #expect(failure.message == "cannot read the job's ticket; run the same version of spool on all machines")
            #expect(try await queue.held() == [AttemptID(job: 6, attempt: 1)])
        }
    }

    @Test("complains of a server that may discard entries, and says how to change that")
    func discarding() async throws {
        try await withQueue { queue, server, _ in
            #expect(try await queue.complaint() == nil)
            _ = try await server.ask(["CONFIG", "SET", "maxmemory-policy", "allkeys-lru"])
            #expect(
                try await queue.complaint()
                    == "Redis is set to discard keys when memory is short (maxmemory-policy allkeys-lru), which would lose jobs "
                    + "on their way; set it with: redis-cli CONFIG SET maxmemory-policy noeviction")
        }
    }

    // MARK: -

    private func withQueue(
        _ body: (RedisJobQueue, RedisServer, _ said: () -> [UnreadableEntry]) async throws -> Void
    ) async throws {
        let server = try await RedisServer.start()
        let said = Said()
        let queue = RedisJobQueue(RedisClient(try RedisConfiguration(url: server.url))) { said.add($0) }
        _ = try await queue.prepare(pools: ["default"])
        try await body(queue, server) { said.entries }
    }

    private func status(_ worker: String) -> WorkerStatus {
        QueueFixture.status(worker, running: [])
    }

    private func probe(_ job: Int64) -> JobTicket { QueueFixture.ticket(job) }
}

/// Collects what the queue reported as unreadable.
final class Said: Sendable {
    private let list = Mutex<[UnreadableEntry]>([])

    func add(_ entry: UnreadableEntry) { list.withLock { $0.append(entry) } }

    var entries: [UnreadableEntry] { list.withLock { $0 } }
}
