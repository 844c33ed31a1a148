import FarmAPI
import ExportPlan
import JobQueue
import Testing

/// From the coordinator to the workers.
@Suite("Every queue: to the workers")
struct QueueDeliveryTests {
    @Test("A ticket arrives as it was sent", arguments: QueueKind.allCases, JobKind.allCases)
    func whole(kind: QueueKind, job: JobKind) async throws {
        try await onQueue(kind) { farm in
            let ticket = farm.ticket(5, job, pool: "gpu", attempt: 3)
            try await farm.queue.send([ticket])
            let taken = try await farm.take([job.role], pools: ["gpu"], wait: QueueFixture.timeout)
            #expect(taken.map(\.ticket) == [ticket])
            #expect(ticket.identity == AttemptID(job: 5, attempt: 3))
        }
    }

    @Test("Tickets of a queue are taken in the order in which they were sent", arguments: QueueKind.allCases)
    func order(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            try await farm.send(1...20)
            try await farm.send(21...40)
            #expect(try await farm.take(all: 40).map(\.ticket.job) == Array(1...40))
        }
    }

    @Test("A worker gets only the jobs of its roles and pools", arguments: QueueKind.allCases)
    func rolesAndPools(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            try await farm.send(1...1, .probe)
            try await farm.send(2...2, .audio)
            try await farm.send(3...3, .soundtrack, pool: "gpu")
            try await farm.send(4...4, .stitch)
            func jobs(_ roles: [WorkerRole], _ pools: [String]) async throws -> Set<Int64> {
                var found: Set<Int64> = []
                while case let taken = try await farm.take(roles, pools: pools), !taken.isEmpty {
                    found.formUnion(taken.map(\.ticket.job))
                }
                return found
            }
            #expect(try await jobs([.video], ["gpu"]).isEmpty)
            #expect(try await jobs([.video], ["default"]) == [1])
            #expect(try await jobs([.audio], ["gpu"]) == [3])
            #expect(try await jobs([.stitch, .audio, .video], ["default", "gpu"]) == [2, 4])
        }
    }

    @Test("A worker gets no more tickets than it asked for", arguments: QueueKind.allCases)
    func limit(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            try await farm.send(1...5)
            try await farm.send(6...10, .stitch)
            var taken: [JobDelivery] = []
            while case let few = try await farm.take([.video, .stitch], limit: 3), !few.isEmpty {
                #expect(few.count <= 3)
                taken += few
            }
            #expect(Set(taken.map(\.ticket.job)) == Set(1...10) && taken.count == 10)
        }
    }

    @Test("A worker that finds no ticket waits for the first one", arguments: QueueKind.allCases)
    func waiting(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            #expect(try await farm.take().isEmpty)
            #expect(try await farm.take(wait: .milliseconds(20)).isEmpty, "in vain, when none comes")
            async let taken = farm.take(wait: QueueFixture.timeout)
            try await farm.send(1...1)
            #expect(try await taken.map(\.ticket.job) == [1])
        }
    }

    @Test("However many workers take at once, each ticket goes to one worker", arguments: QueueKind.allCases)
    func once(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            let total = 120
            try await withThrowingTaskGroup(of: [Int64].self) { group in
                for worker in 1...6 {
                    group.addTask {
                        var jobs: [Int64] = []
                        while case let taken = try await farm.take(worker: "w\(worker)", limit: 3, wait: .milliseconds(200)),
                            !taken.isEmpty
                        { jobs += taken.map(\.ticket.job) }
                        return jobs
                    }
                }
                for first in stride(from: 1, to: Int64(total), by: 10) { try await farm.send(first...(first + 9)) }
                let jobs = try await group.reduce(into: []) { $0 += $1 }
                #expect(jobs.count == total && Set(jobs) == Set(1...Int64(total)))
            }
        }
    }

    @Test("A queue holds an attempt from dispatch to end", arguments: QueueKind.allCases)
    func held(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            #expect(try await farm.queue.held().isEmpty)
            try await farm.send(1...2)
            let both: Set = [AttemptID(job: 1, attempt: 1), AttemptID(job: 2, attempt: 1)]
            #expect(try await farm.queue.held() == both, "while nobody has it")
            let taken = try await farm.take(all: 2)
            #expect(try await farm.queue.held() == both, "in a worker's hands")
            let first = try #require(taken.first)
            let report = JobReport(first.ticket.identity, worker: "w1", .started)
            try await farm.queue.report(report, finishing: nil)
            #expect(try await farm.queue.held() == both, "a word in between ends nothing")
            try await farm.queue.report(JobReport(report.id, worker: "w1", .returned), finishing: first)
            #expect(try await farm.queue.held() == [AttemptID(job: 2, attempt: 1)])
        }
    }

    @Test("A ticket that no worker finishes or renews is reclaimed once", arguments: QueueKind.allCases)
    func expired(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            try await farm.send(1...3)
            _ = try await farm.take(all: 2)
            #expect(try await farm.queue.reclaimExpired(idle: .seconds(60)).isEmpty)
            let idle = Duration.milliseconds(30)
            var back: [JobTicket] = []
            _ = try await farm.eventually {
                back += try await farm.queue.reclaimExpired(idle: idle)
                return back.count >= 2 ? true : nil
            }
            #expect(back.sorted { $0.job < $1.job } == [farm.ticket(1), farm.ticket(2)])
            #expect(try await farm.queue.held() == [AttemptID(job: 3, attempt: 1)], "the queue is not to blame for what waits")
            #expect(try await farm.queue.reclaimExpired(idle: .zero).isEmpty)
        }
    }

    @Test("A ticket that is renewed stays with its worker, however long it takes", arguments: QueueKind.allCases)
    func renewed(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            try await farm.send(1...2)
            let taken = try await farm.take(all: 2)
            let kept = taken.filter { $0.ticket.job == 1 }
            let idle = Duration.seconds(3)
            // The worker renews only the first ticket, until the second has been reclaimed.
            let back = try await farm.eventually { () async throws -> [JobTicket]? in
                try await farm.queue.renew(kept, worker: "w1")
                let back = try await farm.queue.reclaimExpired(idle: idle)
                return back.isEmpty ? nil : back
            }
            #expect(back.map(\.job) == [2])
            #expect(try await farm.queue.held() == [AttemptID(job: 1, attempt: 1)])
        }
    }

    @Test("Renewing or finishing a reclaimed ticket changes nothing", arguments: QueueKind.allCases)
    func late(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            try await farm.send(1...1)
            let taken = try await farm.take(all: 1)
            _ = try await farm.eventually {
                try await farm.queue.reclaimExpired(idle: .milliseconds(5)).isEmpty ? nil : true
            }
            try await farm.queue.renew(taken, worker: "w1")
            #expect(try await farm.queue.held().isEmpty)
            try await farm.queue.send([farm.ticket(1, attempt: 2)])
            let first = try #require(taken.first)
            try await farm.queue.report(JobReport(first.ticket.identity, worker: "w1", .returned), finishing: first)
            #expect(try await farm.queue.held() == [AttemptID(job: 1, attempt: 2)])
            #expect(try await farm.reports().map(\.report.id) == [first.ticket.identity], "what it says is heard")
        }
    }
}
