import ExportPlan
import FarmAPI
import JobQueue
import Testing
import FoundationEssentials

@Suite("A worker's slots")
struct SlotAllocationTests {
    /// Four slots of 1 GiB each.
    private static let capacity = WorkerCapacity(slots: 4, memory: 4 << 30)

    private func delivery(_ job: Int64, gigabytes: Int64 = 0, entry: String? = nil) -> JobDelivery {
        var ticket = QueueFixture.ticket(job)
        ticket.demand = JobDemand(memory: gigabytes << 30)
        return JobDelivery(ticket, queue: "video", entry: entry ?? "\(job)")
    }

    private func begun(_ slots: inout SlotAllocation) -> [Int64] {
        var jobs: [Int64] = []
        while let next = slots.begin() { jobs.append(next.ticket.job) }
        return jobs
    }

    @Test("are given to jobs in the order of their tickets, as many to each as it is wide")
    func order() {
        var slots = SlotAllocation(Self.capacity)
        #expect(slots.free == 4 && slots.begin() == nil)
        let (first, wide, last) = (delivery(1), delivery(2, gigabytes: 2), delivery(3))
        slots.wait([first, wide, last])
        #expect(slots.free == 0 && slots.taken == 0, "all are spoken for")
        #expect(begun(&slots) == [1, 2, 3])
        #expect(slots.free == 0 && slots.taken == 4 && slots.waiting.isEmpty)
        slots.end(wide)
        #expect(slots.free == 2 && slots.taken == 2)
    }

    @Test("stay free for a wide job that waits, and no job that came later takes them")
    func reservation() {
        var slots = SlotAllocation(Self.capacity)
        let running = [delivery(1), delivery(2)]
        slots.wait(running)
        #expect(begun(&slots) == [1, 2])
        let wide = delivery(3, gigabytes: 4)
        slots.wait([wide, delivery(4)])
        #expect(begun(&slots).isEmpty && slots.free == 0)
        slots.end(running[0])
        #expect(begun(&slots).isEmpty && slots.free == 0)
        slots.end(running[1])
        #expect(begun(&slots) == [3] && slots.taken == 4)
        slots.end(wide)
        #expect(begun(&slots) == [4] && slots.free == 3)
    }

    @Test("are all taken by a job that exceeds the worker, which runs alone")
    func alone() {
        var slots = SlotAllocation(Self.capacity)
        var whole = delivery(2)
        whole.ticket.demand = .wholeMachine
        slots.wait([delivery(1, gigabytes: 100), whole])
        #expect(begun(&slots) == [1] && slots.taken == 4)
        slots.end(delivery(1, gigabytes: 100))
        #expect(begun(&slots) == [2] && slots.taken == 4)
    }

    @Test("are freed once for each delivery, also of an attempt that came twice")
    func doubled() {
        var slots = SlotAllocation(Self.capacity)
        let twice = [delivery(1, entry: "a"), delivery(1, entry: "b")]
        slots.wait(twice)
        #expect(begun(&slots) == [1, 1] && slots.free == 2)
        slots.end(twice[0])
        slots.end(twice[0])
        slots.end(delivery(9))
        #expect(slots.free == 3)
        slots.end(twice[1])
        #expect(slots.free == 4)
    }

    @Test("are taken once where the queue delivers the same entry a second time")
    func deliveredAgain() {
        var slots = SlotAllocation(Self.capacity)
        slots.wait([delivery(1, entry: "a")])
        #expect(begun(&slots) == [1])
        slots.wait([delivery(1, entry: "a"), delivery(2, entry: "b")])
        #expect(begun(&slots) == [2] && slots.free == 2 && slots.waiting.isEmpty)
        slots.end(delivery(1, entry: "a"))
        slots.end(delivery(2, entry: "b"))
        #expect(slots.free == 4)
    }

    @Test("are spoken for by waiting jobs until these are taken back")
    func takenBack() {
        var slots = SlotAllocation(Self.capacity)
        slots.wait([delivery(1), delivery(2, gigabytes: 4), delivery(3), delivery(4)])
        #expect(begun(&slots) == [1] && slots.free == 0)
        let gone: Set<AttemptID> = [AttemptID(job: 1, attempt: 1), AttemptID(job: 2, attempt: 1)]
        #expect(slots.removeWaiting(among: gone).map(\.ticket.job) == [2], "the first is running")
        #expect(begun(&slots) == [3, 4] && slots.free == 1)
        slots.wait([delivery(5, gigabytes: 4)])
        #expect(slots.removeWaiting().map(\.ticket.job) == [5])
        #expect(slots.waiting.isEmpty && slots.free == 1)
    }
}

@Suite("Every queue: tickets of several slots")
struct WideTicketTests {
    private static let capacity = WorkerCapacity(slots: 4, memory: 4 << 30)

    private func wide(_ job: Int64, _ demand: JobDemand) -> JobTicket {
        var ticket = QueueFixture.ticket(job)
        ticket.worker = "w1"
        ticket.demand = demand
        return ticket
    }

    @Test(
        "Tickets for one worker come alone, so that the worker counts their widths before it takes more",
        arguments: QueueKind.allCases)
    func alone(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            func take(_ limit: Int) async throws -> [JobTicket] {
                try await farm.take([.video], limit: limit).map(\.ticket)
            }
            // The first worker that asks makes the streams where they are missing.
            _ = try await farm.take(worker: "w1")
            let own = wide(1, JobDemand(memory: 2 << 30))
            try await farm.queue.send([own, farm.ticket(2), farm.ticket(3), farm.ticket(4), farm.ticket(5)])
            #expect(try await take(4) == [own])
            #expect(try await take(2) == [farm.ticket(2), farm.ticket(3)])
            let whole = wide(6, .wholeMachine)
            try await farm.queue.send([whole])
            #expect(try await take(1) == [whole], "it is taken and waits at the worker, which takes nothing else")
            #expect(try await take(4) == [farm.ticket(4), farm.ticket(5)])
        }
    }

    @Test("A ticket without a demand is that of an earlier version, and takes one slot")
    func earlierVersion() throws {
        let ticket = QueueFixture.ticket(1)
        let json = try JSONEncoder().encode(ticket)
        #expect(!String(decoding: json, as: UTF8.self).contains("demand"))
        #expect(try JSONDecoder().decode(JobTicket.self, from: json) == ticket)
        #expect(ticket.width(at: Self.capacity) == 1)
    }

    @Test("A worker's status of an earlier version says nothing of memory, and is read")
    func earlierStatus() throws {
        let status = QueueFixture.status("w1", running: [QueueFixture.ticket(1)])
        let json = String(decoding: try JSONEncoder().encode(status), as: UTF8.self)
        for field in ["memory", "processors", "width", "waiting"] { #expect(!json.contains(field)) }
        #expect(try JSONDecoder().decode(WorkerStatus.self, from: Data(json.utf8)) == status)
        #expect(status.capacity == WorkerCapacity(slots: 2))
    }
}
