import FarmAPI
import ExactTime
import ExportPlan
import FoundationEssentials
import JobQueue
import Testing

/// From the workers to the coordinator, and the behaviour of a queue that was lost.
@Suite("Every queue: to the coordinator")
struct QueueReportTests {
    private static let outcomes: [JobReport.Outcome] = {
        let sound = AudioFacts(
            streamIndex: 0, codec: "mp3", sampleRate: 48_000, channels: 2, channelLayout: "stereo",
            timeBase: Rational(1, 48_000), duration: MediaTime(Rational(10, 3)))
        let facts = SourceFacts(
            contentHash: String(repeating: "a1", count: 32), byteCount: 1000, container: "mp3", origin: .zero, video: nil,
            audio: sound)
        var cost = JobCost()
        cost.decode = 0.25
        let gone = ArtifactKey(String(repeating: "b2", count: 32))
        return [
            .started, .finished(result: JobResult(facts: facts, cost: cost), reused: true),
            .finished(result: JobResult(), reused: false),
            .failed(failure: JobFailure(.transient, subject: "a 'b'\n\"ü\"", message: "is gone", missingArtifacts: [gone])),
            .returned, .cancelled,
        ]
    }()

    @Test("Reports arrive in order, as they were made", arguments: QueueKind.allCases)
    func whole(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            let reports = Self.outcomes.enumerated().map { place, outcome in
                JobReport(AttemptID(job: Int64(place), attempt: 2), worker: "w1", outcome)
            }
            for report in reports { try await farm.queue.report(report, finishing: nil) }
            #expect(try await farm.reports(atLeast: reports.count).map(\.report) == reports)
        }
    }

    @Test("A report is delivered again until it is acknowledged", arguments: QueueKind.allCases)
    func redelivered(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            for job in Int64(1)...4 {
                try await farm.queue.report(
                    JobReport(AttemptID(job: job, attempt: 1), worker: "w1", .started), finishing: nil)
            }
            let first = try await farm.reports(atLeast: 4)
            #expect(try await farm.reports(atLeast: 4) == first)
            try await farm.queue.acknowledge(first.filter { $0.report.id.job % 2 == 0 })
            #expect(try await farm.reports(atLeast: 2).map(\.report.id.job) == [1, 3])
            try await farm.queue.acknowledge(first)
            #expect(try await farm.queue.reports(limit: 10, wait: .zero).isEmpty)
            try await farm.queue.acknowledge(first)
        }
    }

    @Test("No more reports are delivered at once than asked for, the oldest first", arguments: QueueKind.allCases)
    func limit(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            for job in Int64(1)...10 {
                try await farm.queue.report(
                    JobReport(AttemptID(job: job, attempt: 1), worker: "w1", .started), finishing: nil)
            }
            var jobs: [Int64] = []
            _ = try await farm.eventually {
                let some = try await farm.queue.reports(limit: 3, wait: .milliseconds(20))
                #expect(some.count <= 3)
                jobs += some.map(\.report.id.job)
                try await farm.queue.acknowledge(some)
                return jobs.count >= 10 ? true : nil
            }
            #expect(jobs == Array(1...10))
        }
    }

    @Test("A coordinator that finds no report waits for the first one", arguments: QueueKind.allCases)
    func waiting(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            #expect(try await farm.queue.reports(limit: 10, wait: .milliseconds(20)).isEmpty)
            async let reports = farm.queue.reports(limit: 10, wait: QueueFixture.timeout)
            let report = JobReport(AttemptID(job: 1, attempt: 1), worker: "w1", .started)
            try await farm.queue.report(report, finishing: nil)
            #expect(try await reports.map(\.report) == [report])
        }
    }

    @Test("A worker learns with its next heartbeat which attempts shall stop", arguments: QueueKind.allCases)
    func cancelled(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            let running = [farm.ticket(1), farm.ticket(2, attempt: 2)]
            func heartbeat(_ worker: String, _ running: [JobTicket]) async throws -> Set<AttemptID> {
                try await farm.queue.heartbeat(farm.status(worker, running: running), lifetime: .seconds(30)).cancelled
            }
            #expect(try await heartbeat("w1", running).isEmpty)
            try await farm.queue.cancel([
                AttemptID(job: 2, attempt: 2), AttemptID(job: 1, attempt: 7), AttemptID(job: 99, attempt: 1),
            ])
            #expect(try await heartbeat("w1", running) == [AttemptID(job: 2, attempt: 2)])
            #expect(try await heartbeat("w1", running) == [AttemptID(job: 2, attempt: 2)], "until it has stopped it")
            #expect(try await heartbeat("w2", [farm.ticket(3)]).isEmpty)
            var waiting = farm.status("w3")
            waiting.waiting = [AttemptID(job: 2, attempt: 2), AttemptID(job: 9, attempt: 1)]
            #expect(
                try await farm.queue.heartbeat(waiting, lifetime: .seconds(30)).cancelled == [AttemptID(job: 2, attempt: 2)],
                "it is the same for one that waits for free slots")
        }
    }

    @Test("A worker is asked to drain until it is deregistered", arguments: QueueKind.allCases)
    func drain(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            func isToDrain(_ status: WorkerStatus) async throws -> Bool {
                try await farm.queue.heartbeat(status, lifetime: .seconds(30)).isToDrain
            }
            var status = farm.status("w1", running: [farm.ticket(1)])
            #expect(try await !isToDrain(status))
            try await farm.queue.drain(status)
            #expect(try await isToDrain(status))
            status.isDraining = true
            #expect(try await isToDrain(status))
            #expect(try await !isToDrain(farm.status("w2")))
            var successor = farm.status("w1")
            successor.startedAt += 60
            #expect(try await !isToDrain(successor), "it is another process with the same id")
            try await farm.queue.deregister(worker: "w1")
            #expect(try await !isToDrain(farm.status("w1")))
        }
    }

    @Test("A request to drain is taken back, and made again", arguments: QueueKind.allCases)
    func resume(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            let status = farm.status("w1", running: [farm.ticket(1)])
            func answer(_ status: WorkerStatus) async throws -> (drain: Bool, resume: Bool) {
                let answer = try await farm.queue.heartbeat(status, lifetime: .seconds(30))
                return (answer.isToDrain, answer.isToResume)
            }
            #expect(try await answer(status) == (false, false))
            try await farm.queue.drain(status)
            try await farm.queue.resume(status)
            #expect(try await answer(status) == (false, true))
            #expect(try await answer(status) == (false, true), "until it has heard of it")
            var successor = status
            successor.startedAt += 60
            #expect(try await answer(successor) == (false, false), "it is another process with the same id")
            try await farm.queue.drain(status)
            #expect(try await answer(status) == (true, false))
            try await farm.queue.resume(status)
            try await farm.queue.deregister(worker: "w1")
            #expect(try await answer(status) == (false, false))
        }
    }

    @Test("A worker is listed with its last status until it expires or deregisters", arguments: QueueKind.allCases)
    func workers(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            #expect(try await farm.queue.workers().isEmpty)
            for worker in ["w3", "w1", "w2"] {
                _ = try await farm.queue.heartbeat(farm.status(worker), lifetime: .seconds(60))
            }
            let busy = farm.status("w2", running: [farm.ticket(4)])
            _ = try await farm.queue.heartbeat(busy, lifetime: .seconds(2))
            let listed = try await farm.queue.workers().sorted { $0.id < $1.id }
            #expect(listed == [farm.status("w1"), busy, farm.status("w3")])
            try await farm.queue.deregister(worker: "w1")
            try await farm.queue.deregister(worker: "nobody")
            let left = try await farm.eventually {
                let workers = try await farm.queue.workers()
                return workers.count <= 1 ? workers : nil
            }
            #expect(left == [farm.status("w3")], "the heartbeat of the second expired, and the first deregistered")
        }
    }

    @Test("A new coordinator knows all that an earlier one sent, to whatever pool", arguments: QueueKind.allCases)
    func successor(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            try await farm.send(1...1)
            try await farm.send(2...2, pool: "gpu")
            _ = try await farm.take(pools: ["gpu"])
            let successor = try farm.successor()
            _ = try await successor.prepare(pools: ["default"])
            #expect(try await successor.held() == [AttemptID(job: 1, attempt: 1), AttemptID(job: 2, attempt: 1)])
            #expect(try await successor.reclaimExpired(idle: .zero).map(\.job) == [2])
        }
    }

    @Test("An attempt counts as reported from its last report until that is acknowledged", arguments: QueueKind.allCases)
    func reported(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            #expect(try await farm.queue.reported().isEmpty)
            let (first, second) = (AttemptID(job: 1, attempt: 1), AttemptID(job: 2, attempt: 3))
            for id in [first, second] { try await farm.queue.report(JobReport(id, worker: "w1", .started), finishing: nil) }
            try await farm.queue.report(JobReport(second, worker: "w1", .returned), finishing: nil)
            #expect(try await farm.queue.reported() == [second])
            let reports = try await farm.reports(atLeast: 3)
            #expect(try await farm.queue.reported() == [second], "it is delivered, and not acknowledged")
            try await farm.queue.acknowledge(reports)
            #expect(try await farm.queue.reported().isEmpty)
        }
    }

    @Test("A queue knows the highest number of a job that was sent, until it loses everything", arguments: QueueKind.allCases)
    func highestJob(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            #expect(try await farm.queue.highestJob() == 0)
            try await farm.send(3...5)
            try await farm.send(1...2)
            #expect(try await farm.queue.highestJob() == 5)
            try await farm.flush()
            #expect(try await farm.queue.prepare(pools: QueueFixture.pools))
            #expect(try await farm.queue.highestJob() == 0)
            try await farm.send(2...2)
            #expect(try await farm.queue.highestJob() == 2)
        }
    }

    @Test("A queue that was lost says so once, and holds nothing", arguments: QueueKind.allCases)
    func flushed(kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            #expect(try await !farm.queue.prepare(pools: QueueFixture.pools), "nothing happened since")
            try await farm.send(1...4)
            let taken = try await farm.take(all: 2)
            #expect(try await !farm.queue.prepare(pools: QueueFixture.pools), "use is no loss")
            #expect(try await farm.queue.held().count == 4)

            try await farm.flush()
            #expect(try await farm.queue.prepare(pools: QueueFixture.pools))
            #expect(try await !farm.queue.prepare(pools: QueueFixture.pools))
            #expect(try await farm.queue.held().isEmpty)
            #expect(try await farm.take().isEmpty)
            #expect(try await farm.queue.reclaimExpired(idle: .zero).isEmpty)

            // The report of a worker that was busy meanwhile is delivered, and the queue serves again.
            let first = try #require(taken.first)
            try await farm.queue.renew(taken, worker: "w1")
            try await farm.queue.report(JobReport(first.ticket.identity, worker: "w1", .returned), finishing: first)
            #expect(try await farm.reports().map(\.report.id) == [first.ticket.identity])
            try await farm.send(7...7)
            #expect(try await farm.take(all: 1).map(\.ticket.job) == [7])
        }
    }

    @Test("No worker gets anything before the queue is prepared", arguments: QueueKind.allCases)
    func unprepared(kind: QueueKind) async throws {
        let made = try await kind.make()
        let taken = try await made.queue.take(roles: [.video], pools: ["default"], worker: "w1", limit: 1, wait: .zero)
        #expect(taken.isEmpty)
    }
}
