import FarmAPI
import Coordinator
import ExportPlan
import Scheduling
import JobQueue
import Testing
import FoundationEssentials

@Suite("Every store: workers' reports")
struct StoreConformanceReports {
    private static let success = JobReport.Outcome.finished(result: JobResult(), reused: false)

    @Test("A start is stored with its worker and its time", arguments: StoreKind.allCases)
    func started(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let ticket = try await farm.dispatch(id, .video)
            let time = farm.now + 5
            let effects = try await farm.report(ticket, .started, worker: "w7", at: time)
            #expect(effects.changes.started == [ticket.job: "w7"])
            #expect(effects.toCancel.isEmpty && !effects.hasNews)
            let job = try await farm.job(ticket.job)
            let attempt = try #require(try await farm.attempts(ticket.job).first)
            #expect(job.state == .running && job.worker == "w7")
            #expect(attempt.state == .running && attempt.worker == "w7" && attempt.finishedAt == nil)
            for startedAt in [job.startedAt, attempt.startedAt] {
                #expect(abs(try #require(startedAt).timeIntervalSince(time)) < 0.001)
            }
        }
    }

    @Test("An end that tells of the start, too, is stored as both", arguments: StoreKind.allCases)
    func startWithEnd(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let ticket = try await farm.dispatch(id, .video)
            let time = farm.now + 5
            let report = JobReport(ticket.identity, worker: "w7", Self.success, startedAgo: 0.25)
            let effects = try await farm.store.apply([report], at: time, jitter: 0)
            // The scheduler learns both where the job's source is now, and that the job is over.
            #expect(effects.changes.started == [ticket.job: "w7"])
            #expect(effects.changes.ended.keys.sorted() == [ticket.job])
            let job = try await farm.job(ticket.job)
            let attempt = try #require(try await farm.attempts(ticket.job).first)
            #expect(job.state == .done && job.worker == "w7" && attempt.state == .succeeded && attempt.worker == "w7")
            for (started, finished) in [(job.startedAt, job.finishedAt), (attempt.startedAt, attempt.finishedAt)] {
                #expect(abs(try #require(started).timeIntervalSince(time - 0.25)) < 0.001)
                #expect(abs(try #require(finished).timeIntervalSince(time)) < 0.001)
            }
        }
    }

    @Test("A start that was stored before keeps its time when the end tells of it once more", arguments: StoreKind.allCases)
    func startTwice(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let ticket = try await farm.dispatch(id, .video)
            let time = farm.now + 5
            try await farm.report(ticket, .started, worker: "w7", at: time)
            let report = JobReport(ticket.identity, worker: "w7", .returned, startedAgo: 1)
            _ = try await farm.store.apply([report], at: time + 3, jitter: 0)
            let attempt = try #require(try await farm.attempts(ticket.job).first)
            #expect(attempt.state == .returned)
            #expect(abs(try #require(attempt.startedAt).timeIntervalSince(time)) < 0.001)
            #expect(try await farm.job(ticket.job).state == .ready)
            #expect(try await farm.job(ticket.job).startedAt == nil)
        }
    }

    @Test("A success is stored with its worker, its time and its cost", arguments: StoreKind.allCases)
    func finished(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let ticket = try await farm.dispatch(id, .video)
            var cost = JobCost()
            cost.decode = 1.25
            cost.encode = 2.5
            let time = farm.now + 5
            let effects = try await farm.report(
                ticket, .finished(result: JobResult(cost: cost), reused: false), worker: "w7", at: time)
            #expect(effects.hasNews && effects.toCancel.isEmpty)
            let job = try await farm.job(ticket.job)
            let attempt = try #require(try await farm.attempts(ticket.job).first)
            #expect(job.state == .done && job.worker == "w7" && !job.reused)
            #expect(attempt.state == .succeeded && attempt.worker == "w7" && attempt.cost == cost && attempt.failure == nil)
            for finishedAt in [job.finishedAt, attempt.finishedAt] {
                #expect(abs(try #require(finishedAt).timeIntervalSince(time)) < 0.001)
            }
            #expect(try await farm.export(id).progress.framesDone == 30)
        }
    }

    @Test(
        "A rendering process's log is kept with its attempt, even when the attempt no longer counts",
        arguments: StoreKind.allCases)
    func logs(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let first = try await farm.dispatch(id, .video)
            _ = try await farm.store.expireLeases([first.identity], at: farm.now, jitter: 0)
            let second = try await farm.dispatch(id, .video)
            func report(_ ticket: JobTicket, _ outcome: JobReport.Outcome, log: String) async throws {
                let report = JobReport(ticket.identity, worker: "w1", outcome, log: log)
                _ = try await farm.store.apply(report, at: farm.now, jitter: 0)
            }
            try await report(first, .returned, log: "too late")
            try await report(second, Self.success, log: "line 1\nline 2")
            #expect(try await farm.attempts(second.job).map(\.log) == ["too late", "line 1\nline 2"])
        }
    }

    @Test("A job whose artifact a worker found counts as reused", arguments: StoreKind.allCases)
    func reused(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let ticket = try await farm.dispatch(id, .video)
            try await farm.finish(ticket, reused: true)
            #expect(try await farm.job(ticket.job).reused)
            #expect(try await farm.export(id).progress.jobsReused == 1)
        }
    }

    @Test("A late or repeated report about a job that is done changes nothing", arguments: StoreKind.allCases)
    func duplicates(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let ticket = try await farm.dispatch(id, .video)
            try await farm.finish(ticket)
            let (job, attempts) = (try await farm.job(ticket.job), try await farm.attempts(ticket.job))
            let events = try await farm.eventKinds(id)
            #expect(try await farm.finish(ticket, reused: true, worker: "w2") == JobEffects())
            #expect(try await farm.report(ticket, .started, worker: "w2") == JobEffects())
            #expect(try await farm.fail(ticket, .input) == JobEffects())
            #expect(try await farm.report(ticket, .returned) == JobEffects())
            #expect(try await farm.store.expireLeases([ticket.identity], at: farm.now, jitter: 0) == JobEffects())
            #expect(try await farm.job(ticket.job) == job)
            #expect(try await farm.attempts(ticket.job) == attempts)
            #expect(try await farm.eventKinds(id) == events)
        }
    }

    @Test("A report about an unknown job changes nothing", arguments: StoreKind.allCases)
    func unknown(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let jobs = try await farm.jobs(id)
            for outcome in [JobReport.Outcome.started, Self.success, .returned, .cancelled] {
                let report = JobReport(AttemptID(job: 1_000_000, attempt: 1), worker: "w1", outcome)
                #expect(try await farm.store.apply(report, at: farm.now, jitter: 0) == JobEffects())
            }
            let lost = AttemptID(job: 1_000_000, attempt: 1)
            #expect(try await farm.store.expireLeases([lost], at: farm.now, jitter: 0) == JobEffects())
            #expect(try await farm.jobs(id) == jobs)
        }
    }

    @Test("A report from an earlier attempt changes nothing, unless it is a success", arguments: StoreKind.allCases)
    func earlierAttempt(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let first = try await farm.dispatch(id, .video)
            try await farm.report(first, .returned)
            let second = try await farm.dispatch(id, .video)
            #expect(second.attempt == 2)
            let before = try await farm.job(second.job)
            #expect(try await farm.report(first, .started) == JobEffects())
            #expect(try await farm.fail(first, .input) == JobEffects())
            #expect(try await farm.store.expireLeases([first.identity], at: farm.now, jitter: 0) == JobEffects())
            #expect(try await farm.job(second.job) == before)
        }
    }

    @Test(
        "The first success counts, from whatever attempt, and the other attempt is cancelled",
        arguments: StoreKind.allCases)
    func lateSuccess(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let first = try await farm.dispatch(id, .video)
            _ = try await farm.store.expireLeases([first.identity], at: farm.now, jitter: 0)
            let job = try await farm.job(first.job)
            let second = try #require(try await farm.store.dispatch([job.id], at: farm.now).first)
            try await farm.report(second, .started, worker: "w2")

            let effects = try await farm.finish(first, worker: "w1")
            #expect(effects.hasNews && effects.toCancel == [second.identity])
            #expect(try await farm.job(job.id).state == .done)
            #expect(try await farm.job(job.id).worker == "w1")
            #expect(try await farm.attempts(job.id).map(\.state) == [.succeeded, .cancelled])

            #expect(try await farm.finish(second, worker: "w2") == JobEffects())
            #expect(try await farm.attempts(job.id).map(\.state) == [.succeeded, .cancelled])
        }
    }

    @Test("A success counts also when the job waits for its retry", arguments: StoreKind.allCases)
    func successWhileReady(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let first = try await farm.dispatch(id, .video)
            _ = try await farm.store.expireLeases([first.identity], at: farm.now, jitter: 0)
            #expect(try await farm.finish(first).toCancel.isEmpty)
            #expect(try await farm.job(first.job).state == .done)
            #expect(try await farm.attempts(first.job).map(\.state) == [.succeeded])
        }
    }

    @Test("A job that a worker returns is ready at once, and no failure counts", arguments: StoreKind.allCases)
    func returned(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm(pictures: ["sea"], sounds: []))
            for attempt in 1...12 {
                let ticket = try await farm.dispatch(id, .video)
                #expect(ticket.attempt == attempt)
                let effects = try await farm.report(ticket, .returned)
                #expect(effects.hasNews && effects.toCancel.isEmpty)
            }
            let job = try await farm.job(id, .video)
            #expect(job.state == .ready && job.attempt == 12)
            #expect(try await farm.attempts(job.id).allSatisfy { $0.state == .returned && $0.failure == nil })
            #expect(try await !farm.eventKinds(id).contains(.jobRetried))
            #expect(try await farm.candidates().map(\.id) == [job.id])
        }
    }

    @Test("A job that a worker stops by itself is ready again", arguments: StoreKind.allCases)
    func stopped(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let ticket = try await farm.dispatch(id, .video)
            #expect(try await farm.report(ticket, .cancelled).hasNews)
            #expect(try await farm.job(ticket.job).state == .ready)
            #expect(try await farm.attempts(ticket.job).map(\.state) == [.cancelled])
        }
    }
}
