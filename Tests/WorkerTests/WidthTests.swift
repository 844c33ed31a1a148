import ExportPlan
import FarmAPI
import JobQueue
import TestSupport
import Testing
import Worker

/// A worker with two slots of 1 GiB each.
@Suite("A worker that gets a job of several slots")
struct WidthTests {
    private static let capacity = WorkerCapacity(slots: 2, memory: 2 << 30)

    private func wide(_ farm: WorkerFixture, _ job: Int64) throws -> JobTicket {
        var ticket = try farm.ticket(job, "wide \(job)")
        ticket.worker = "w1"
        ticket.demand = JobDemand(memory: 2 << 30)
        return ticket
    }

    /// The reports until so many jobs have ended, as `1 started`.
    private func reports(_ farm: WorkerFixture, ends: Int) async throws -> [String] {
        var found: [String] = []
        var left = ends
        while left > 0 {
            let deliveries = try await farm.queue.reports(limit: 100, wait: .seconds(10))
            try await farm.queue.acknowledge(deliveries)
            for report in deliveries.flatMap(\.report.events) {
                found.append("\(report.id.job) \(report.end)")
                if report.outcome != .started { left -= 1 }
            }
        }
        return found
    }

    @Test("begins it when enough slots are free, and takes no job that came later before it", .timeLimit(.minutes(2)))
    func order() async throws {
        let farm = try await WorkerFixture(capacity: Self.capacity, progressTimeout: .seconds(600))
        try await farm.working {
            try await farm.queue.send([farm.ticket(1, MisbehavingRenderer.silence)])
            let status = try await farm.status { !$0.running.isEmpty }
            #expect(status.memory == 2 << 30 && status.slots == 2 && status.running.map(\.width) == [1])
            try await farm.queue.send([wide(farm, 2), farm.ticket(3, "narrow")])
            try await farm.queue.cancel([AttemptID(job: 1, attempt: 1)])
            #expect(
                try await reports(farm, ends: 3) == [
                    "1 started", "1 cancelled", "2 started", "2 finished", "3 started", "3 finished",
                ])
        }
    }

    @Test("says how many slots it takes, and what is predicted of its memory", .timeLimit(.minutes(2)))
    func status() async throws {
        let farm = try await WorkerFixture(capacity: Self.capacity, progressTimeout: .seconds(600))
        try await farm.working {
            var ticket = try farm.ticket(1, MisbehavingRenderer.silence)
            ticket.demand = JobDemand(memory: 1200 << 20)
            try await farm.queue.send([ticket])
            let running = try await farm.status { !$0.running.isEmpty }.running
            #expect(running.map(\.width) == [2] && running.map(\.memory) == [1216 << 20])
        }
    }

    @Test("drops it when it is cancelled before it has begun, and takes jobs again", .timeLimit(.minutes(2)))
    func cancelled() async throws {
        let farm = try await WorkerFixture(capacity: Self.capacity, progressTimeout: .seconds(600))
        try await farm.working {
            // The first begins, and the second does not fit beside it.
            var first = try farm.ticket(1, MisbehavingRenderer.silence)
            first.worker = "w1"
            try await farm.queue.send([first, wide(farm, 2)])
            _ = try await farm.status { !$0.running.isEmpty && $0.waiting == [AttemptID(job: 2, attempt: 1)] }
            try await farm.queue.cancel([AttemptID(job: 2, attempt: 1)])
            try await farm.queue.send([farm.ticket(3, "narrow")])
            #expect(try await reports(farm, ends: 2).sorted() == ["1 started", "2 cancelled", "3 finished", "3 started"])
        }
    }

    @Test("returns it when it drains before the job has begun", .timeLimit(.minutes(2)))
    func drained() async throws {
        let farm = try await WorkerFixture(capacity: Self.capacity, progressTimeout: .seconds(600))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await farm.worker.run() }
            // The first begins, and the second does not fit beside it.
            var first = try farm.ticket(1, MisbehavingRenderer.silence)
            first.worker = "w1"
            try await farm.queue.send([first, wide(farm, 2)])
            _ = try await farm.status { !$0.running.isEmpty && $0.waiting == [AttemptID(job: 2, attempt: 1)] }
            group.addTask { await farm.worker.drain() }
            try await group.waitForAll()
        }
        #expect(try await reports(farm, ends: 2).sorted() == ["1 returned", "1 started", "2 returned"])
        #expect(try await farm.queue.held().isEmpty)
    }
}
