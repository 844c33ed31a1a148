import ExportPlan
import FarmAPI
import JobQueue
import Testing

@Suite("Every queue: its contents")
struct QueueContentsTests {
    @Test("Tickets wait, are taken and end, and reports stay until they are acknowledged", arguments: QueueKind.allCases)
    func life(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            #expect(try await farm.queue.contents() == QueueContents())
            try await farm.send(1...1)
            try await farm.send(2...2, .stitch, pool: "gpu")
            var addressed = farm.ticket(3)
            addressed.worker = "w1"
            try await farm.queue.send([addressed])
            var contents = try await farm.queue.contents()
            let readers = Dictionary(uniqueKeysWithValues: contents.waiting.map { ($0.id.job, $0.readers) })
            #expect(readers == [1: .pool(.video, "default"), 2: .pool(.stitch, "gpu"), 3: .worker("w1")])
            #expect(contents.waiting.allSatisfy { (0..<60).contains($0.age) })
            #expect(contents.taken.isEmpty && contents.reported.isEmpty && contents.reportAge == nil)
            let taken = try #require(try await farm.take(all: 2).first { $0.ticket.job == 1 })
            contents = try await farm.queue.contents()
            #expect(contents.waiting.map(\.id.job) == [2])
            #expect(Set(contents.taken.map(\.id.job)) == [1, 3])
            #expect(contents.taken.allSatisfy { $0.worker == "w1" && (0..<60).contains($0.silence) })
            let report = JobReport(
                taken.ticket.identity, worker: "w1", .finished(result: JobResult(), reused: false))
            try await farm.queue.report(report, finishing: taken)
            contents = try await farm.queue.contents()
            #expect(contents.taken.map(\.id.job) == [3])
            #expect(contents.reported == [taken.ticket.identity])
            #expect(try #require(contents.reportAge) < 60)
            try await farm.queue.acknowledge(try await farm.reports())
            contents = try await farm.queue.contents()
            #expect(contents.reported.isEmpty && contents.reportAge == nil)
            #expect(contents.held == (try await farm.queue.held()))
        }
    }

    @Test("Another coordinator sees what the first has sent", arguments: QueueKind.allCases)
    func successor(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            try await farm.send(1...4, pool: "gpu")
            #expect(try await farm.successor().contents().waiting.map(\.id.job).sorted() == [1, 2, 3, 4])
        }
    }

    @Test("Workers serve pools of their roles, and their own tickets")
    func readers() {
        let worker = QueueFixture.status("w1", running: [])
        #expect(QueueContents.Readers.pool(.video, "gpu").include(worker))
        #expect(!QueueContents.Readers.pool(.audio, "gpu").include(worker))
        #expect(!QueueContents.Readers.pool(.video, "other").include(worker))
        #expect(QueueContents.Readers.worker("w1").include(worker))
        #expect(!QueueContents.Readers.worker("w2").include(worker))
    }
}
