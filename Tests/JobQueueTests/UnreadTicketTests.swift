import ExportPlan
import FarmAPI
import JobQueue
import Testing

@Suite("Every queue: tickets that nobody reads")
struct UnreadTicketTests {
    @Test("Only tickets in queues that no worker serves are withdrawn, and once", arguments: QueueKind.allCases)
    func lanes(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            try await farm.send(1...2)
            try await farm.send(3...4, pool: "gpu")
            // w1 serves both pools and does not do sound.
            let sound = QueueFixture.ticket(5, .audio)
            try await farm.queue.send([sound])
            #expect(try await farm.queue.withdrawUnread(age: .zero, besides: [farm.status("w1")]) == [sound])
            #expect(try await farm.queue.held().count == 4)
            let all = try await farm.queue.withdrawUnread(age: .zero, besides: [])
            #expect(Set(all.map(\.job)) == [1, 2, 3, 4])
            #expect(try await farm.queue.held().isEmpty)
            #expect(try await farm.queue.withdrawUnread(age: .zero, besides: []).isEmpty)
            #expect(try await farm.take().isEmpty)
            // The queue serves again.
            try await farm.send(7...7)
            #expect(try await farm.take(all: 1).map(\.ticket.job) == [7])
        }
    }

    @Test("Tickets that a worker has taken, and tickets that are new, stay", arguments: QueueKind.allCases)
    func taken(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            try await farm.send(1...3)
            let taken = try await farm.take(all: 1)
            #expect(try await farm.queue.withdrawUnread(age: .seconds(3600), besides: []).isEmpty)
            #expect(try await farm.queue.held().count == 3)
            #expect(try await farm.queue.withdrawUnread(age: .zero, besides: []).map(\.job) == [2, 3])
            #expect(try await farm.queue.held() == Set(taken.map(\.ticket.identity)))
            #expect(try await farm.queue.reclaimExpired(idle: .zero).map(\.identity) == taken.map(\.ticket.identity))
        }
    }

    @Test("Express tickets are withdrawn where all workers of the lane are of earlier versions", arguments: QueueKind.allCases)
    func express(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            var ticket = farm.ticket(1)
            ticket.isExpress = true
            try await farm.queue.send([ticket, farm.ticket(2)])
            var worker = farm.status("w1")
            worker.readsExpress = true
            #expect(try await farm.queue.withdrawUnread(age: .zero, besides: [worker]).isEmpty)
            worker.readsExpress = nil
            #expect(try await farm.queue.withdrawUnread(age: .zero, besides: [worker]) == [ticket])
            #expect(try await farm.queue.held() == [AttemptID(job: 2, attempt: 1)])
        }
    }

    @Test("Tickets for one worker are withdrawn when it takes no jobs", arguments: QueueKind.allCases)
    func addressed(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            _ = try await farm.take(worker: "w1")
            var ticket = farm.ticket(1)
            ticket.worker = "w1"
            try await farm.queue.send([ticket])
            #expect(try await farm.queue.withdrawUnread(age: .zero, besides: [farm.status("w1")]).isEmpty)
            #expect(try await farm.queue.withdrawUnread(age: .zero, besides: [farm.status("w2")]) == [ticket])
            #expect(try await farm.queue.held().isEmpty)
        }
    }
}
