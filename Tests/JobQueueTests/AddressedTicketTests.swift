import FarmAPI
import JobQueue
import Testing

@Suite("Tickets that only one worker may take")
struct AddressedTicketTests {
    private func addressed(_ job: Int64, to worker: String) -> JobTicket {
        var ticket = QueueFixture.ticket(job)
        ticket.worker = worker
        return ticket
    }

    @Test("are given to that worker before those of its roles, and to no other", arguments: QueueKind.allCases)
    func delivery(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            // The first worker that asks makes the streams where they are missing.
            for worker in ["w1", "w2"] { _ = try await farm.take(worker: worker) }
            try await farm.queue.send([farm.ticket(1), addressed(2, to: "w2"), farm.ticket(3)])
            #expect(try await farm.take(all: 2, worker: "w1").map(\.ticket.job).sorted() == [1, 3])
            #expect(try await farm.take(worker: "w1").isEmpty)
            try await farm.queue.send([farm.ticket(4)])
            #expect(try await farm.take(all: 2, worker: "w2").map(\.ticket.job) == [2, 4])
        }
    }

    @Test("are given before express tickets, and these before all others", arguments: QueueKind.allCases)
    func express(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            _ = try await farm.take(worker: "w1")
            var express = farm.ticket(2)
            express.isExpress = true
            try await farm.queue.send([farm.ticket(1), express, addressed(3, to: "w1"), farm.ticket(4)])
            let contents = try await farm.queue.contents()
            #expect(contents.waiting.count { $0.readers == .pool(.video, express.pool) } == 3)
            #expect(try await farm.take(all: 4, worker: "w1").map(\.ticket.job) == [3, 2, 1, 4])
        }
    }

    @Test("are renewed, reported and reclaimed as all others are", arguments: QueueKind.allCases)
    func lease(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            _ = try await farm.take(worker: "w1")
            try await farm.queue.send([addressed(1, to: "w1"), addressed(2, to: "w1")])
            let taken = try await farm.take(all: 2, worker: "w1")
            try await farm.queue.renew(taken, worker: "w1")
            #expect(try await farm.queue.reclaimExpired(idle: .seconds(60)).isEmpty)
            let done = try #require(taken.first)
            try await farm.queue.report(
                JobReport(done.ticket.identity, worker: "w1", .returned), finishing: done)
            #expect(try await farm.queue.held() == [AttemptID(job: 2, attempt: 1)])
            #expect(try await farm.queue.reclaimExpired(idle: .zero).map(\.job) == [2])
            #expect(try await farm.queue.held().isEmpty)
        }
    }

    @Test("are missing when their worker is gone, so that others get the jobs", arguments: QueueKind.allCases)
    func gone(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            _ = try await farm.take(worker: "w1")
            _ = try await farm.queue.heartbeat(farm.status("w1"), lifetime: .seconds(60))
            try await farm.queue.send([addressed(1, to: "w1")])
            #expect(try await farm.queue.workers().map(\.id) == ["w1"])
            #expect(try await farm.queue.held() == [AttemptID(job: 1, attempt: 1)])
            try await farm.queue.deregister(worker: "w1")
            #expect(try await farm.queue.workers().isEmpty)
            #expect(try await farm.queue.held().isEmpty)
        }
    }

    @Test("stay with the worker that has taken them until their lease expires", arguments: QueueKind.allCases)
    func taken(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            _ = try await farm.take(worker: "w1")
            _ = try await farm.queue.heartbeat(farm.status("w1"), lifetime: .seconds(60))
            try await farm.queue.send([addressed(1, to: "w1")])
            #expect(try await farm.take(all: 1, worker: "w1").count == 1)
            try await farm.queue.deregister(worker: "w1")
            #expect(try await farm.queue.workers().isEmpty)
            #expect(try await farm.queue.held() == [AttemptID(job: 1, attempt: 1)])
            #expect(try await farm.queue.reclaimExpired(idle: .zero).map(\.job) == [1])
            #expect(try await farm.queue.workers().isEmpty)
            #expect(try await farm.queue.held().isEmpty)
        }
    }
}
