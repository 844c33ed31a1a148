import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Scheduling
import TestSupport
import Testing
import FoundationEssentials

/// Reports that are applied together.
@Suite("Every store: batches of reports")
struct StoreConformanceBatches {
    private static let success = JobReport.Outcome.finished(result: JobResult(), reused: false)

    private static func report(_ ticket: JobTicket, _ outcome: JobReport.Outcome) -> JobReport {
        JobReport(ticket.identity, worker: "w1", outcome)
    }

    @Test(
        "A batch has the outcome of its reports one by one in the same order", arguments: StoreKind.allCases, UInt64(1)...10)
    func property(kind: StoreKind, seed: UInt64) async throws {
        var together: [BatchHistory.Step] = []
        var oneByOne: [BatchHistory.Step] = []
        try await onStore(kind) { together = try await BatchHistory.run($0, seed: seed, together: true) }
        try await onStore(kind) { oneByOne = try await BatchHistory.run($0, seed: seed, together: false) }
        try #require(together.count == oneByOne.count)
        for (number, (left, right)) in zip(together, oneByOne).enumerated() {
            #expect(left.dispatched == right.dispatched, "step \(number)")
            #expect(left.effects == right.effects, "step \(number)")
            #expect(left.farm == right.farm, "step \(number)")
        }
        #expect(together.contains { !$0.effects.changes.ready.isEmpty }, "jobs became ready")
        #expect(together.contains { !$0.effects.changes.noLongerReady.isEmpty }, "jobs were shared or ended")
    }

    @Test("Several reports of one job are applied in their order", arguments: StoreKind.allCases)
    func sameJob(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let ticket = try await farm.dispatch(id, .video)
            let time = farm.now + 5
            _ = try await farm.store.apply(
                [
                    JobReport(ticket.identity, worker: "w7", .started),
                    JobReport(ticket.identity, worker: "w7", Self.success, log: "line 1"),
                    JobReport(ticket.identity, worker: "w7", .started),
                ], at: time, jitter: 0)
            let job = try await farm.job(ticket.job)
            let attempt = try #require(try await farm.attempts(ticket.job).first)
            #expect(job.state == .done && job.worker == "w7" && !job.reused)
            #expect(attempt.state == .succeeded && attempt.worker == "w7" && attempt.log == "line 1")
            for date in [job.startedAt, job.finishedAt, attempt.startedAt, attempt.finishedAt] {
                #expect(abs(try #require(date).timeIntervalSince(time)) < 0.001)
            }
        }
    }

    @Test(
        "A job whose artifact an earlier report of the batch shares is done, and its own report comes too late",
        arguments: StoreKind.allCases)
    func sharedWithin(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let first = try await farm.rendering(SampleFilm(pictures: ["sea"]))
            let second = try await farm.rendering(SampleFilm(pictures: ["sea"]))
            let returned = try await farm.dispatch(first, .video)
            try await farm.report(returned, .returned)
            let ticket = try await farm.dispatch(second, .video)
            _ = try await farm.store.apply(
                [Self.report(ticket, Self.success), Self.report(returned, Self.success)], at: farm.now, jitter: 0)
            let shared = try await farm.job(first, .video)
            #expect(shared.state == .done && shared.reused)
            #expect(try await farm.attempts(shared.id).map(\.state) == [.returned])
            #expect(try await !farm.job(second, .video).reused)
        }
    }

    @Test("A failure ends the jobs of its export before a later report of the batch is read", arguments: StoreKind.allCases)
    func failureWithin(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm(sounds: []))
            let (bad, good) = (try await farm.dispatch(id, .video, 0), try await farm.dispatch(id, .video, 1))
            let failure = JobFailure(.input, subject: "sea.mp4", message: "is broken")
            let effects = try await farm.store.apply(
                [Self.report(bad, .failed(failure: failure)), Self.report(good, Self.success)], at: farm.now, jitter: 0)
            #expect(effects.toCancel == [good.identity])
            #expect(try await farm.state(id) == .failed)
            #expect(try await farm.job(good.job).state == .cancelled)
            #expect(try await farm.attempts(good.job).map(\.state) == [.cancelled])
        }
    }

    @Test("The jobs that a batch makes ready are in its effects, as they are dispatched", arguments: StoreKind.allCases)
    func becameReady(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm(pictures: ["sea", "hills"], sounds: ["waves"]))
            var tickets = try await farm.dispatchAll()
            #expect(tickets.count == 3)
            let started = try await farm.store.apply(tickets.map { Self.report($0, .started) }, at: farm.now, jitter: 0)
            #expect(started.changes.ready.isEmpty && started.changes.noLongerReady.isEmpty, "who runs was not ready before")
            #expect(started.changes.started == Dictionary(uniqueKeysWithValues: tickets.map { ($0.job, "w1") }))

            let effects = try await farm.store.apply(
                tickets.map { Self.report($0, Self.success) }, at: farm.now, jitter: 0)
            let soundtrack = try await farm.job(id, .soundtrack)
            #expect(effects.hasNews && effects.changes.noLongerReady.isEmpty)
            #expect(Set(effects.changes.ended.keys) == Set(tickets.map(\.job)))
            #expect(Set(effects.changes.ready.keys) == [soundtrack.id])
            #expect(try await farm.candidates(JobKind.soundtrack.role).first == effects.changes.ready[soundtrack.id])

            tickets = try await farm.dispatchAll()
            let retried = try await farm.store.apply(
                tickets.map { Self.report($0, .failed(failure: JobFailure(.transient, subject: "", message: "slow disk"))) },
                at: farm.now, jitter: 0.5)
            let ready = try #require(retried.changes.ready[soundtrack.id])
            #expect(ready.notBefore > farm.now - 1, "a retry waits")

            let last = try await farm.store.dispatch([soundtrack.id], at: farm.now + 3600)
            let done = try await farm.store.apply(
                last.map { Self.report($0, Self.success) }, at: farm.now + 3600, jitter: 0)
            let stitch = try await farm.job(id, .stitch).id
            #expect(Set(done.changes.ready.keys) == [stitch])
        }
    }

    @Test("The jobs that are no longer ready after a batch are in its effects", arguments: StoreKind.allCases)
    func noLongerReady(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let first = try await farm.rendering(SampleFilm(pictures: ["sea"], sounds: ["waves"]))
            let second = try await farm.rendering(SampleFilm(pictures: ["sea", "hills"], sounds: ["wind"]))
            let shared = try await farm.finish(first, .video)
            let sea = try await farm.job(second, .video, 0).id
            #expect(shared.changes.noLongerReady == [sea])
            #expect(shared.changes.ready.isEmpty)

            let failed = try await farm.fail(try await farm.dispatch(second, .video, 1), .input)
            #expect(failed.changes.exports == [second], "its export is over")
            #expect(failed.changes.ready.isEmpty)
        }
    }

    @Test("The leases of many attempts expire at once, and their retries are spread", arguments: StoreKind.allCases)
    func leases(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            _ = try await farm.rendering(SampleFilm(pictures: (0..<8).map { "\($0)" }, sounds: []))
            let tickets = try await farm.dispatchAll().filter { $0.kind == .video }
            let effects = try await farm.store.expireLeases(tickets.map(\.identity), at: farm.now, jitter: 0.25)
            let ready = tickets.compactMap { effects.changes.ready[$0.job]?.notBefore }
            #expect(ready.count == 8 && Set(ready).count == 8)
        }
    }
}

/// One random history of a farm in which reports come in batches, and all that it leaves behind.
private struct BatchHistory {
    /// What a batch did.
    struct Step: Equatable {
        var dispatched: [AttemptID]
        var effects: JobEffects
        var farm: FarmPicture
    }

    let farm: StoreFixture
    let tenants: [Int64]
    var numbers: RandomNumbers
    var films: [ExportID: SampleFilm] = [:]
    var tickets: [JobTicket] = []
    var seconds = 0.0

    var time: Date { FarmPicture.begin + seconds }

    static func run(_ farm: StoreFixture, seed: UInt64, together: Bool) async throws -> [Step] {
        let other = try await farm.store.createTenant("other", weight: 3).id
        var history = BatchHistory(farm: farm, tenants: [farm.tenant, other], numbers: RandomNumbers(seed: seed))
        for number in 1...7 { try await history.submit(number) }
        var steps: [Step] = []
        for _ in 1...14 {
            try await history.compile()
            let dispatched = try await history.dispatch()
            let reports = history.reports()
            var effects = JobEffects()
            if together {
                effects = try await farm.store.apply(reports, at: history.time, jitter: 0.5)
            } else {
                for (place, report) in reports.enumerated() {
                    let jitter = RetryPolicy.jitter(0.5, at: place)
                    effects.merge(try await farm.store.apply(report, at: history.time, jitter: jitter))
                }
            }
            effects.toCancel.sort { ($0.job, $0.attempt) < ($1.job, $1.attempt) }
            steps.append(
                Step(dispatched: dispatched, effects: history.comparable(effects), farm: try await FarmPicture(of: farm)))
            history.seconds += .random(in: 0...4, using: &history.numbers).rounded()
        }
        return steps
    }

    private mutating func submit(_ number: Int) async throws {
        // There are few names, so that many films share segments and some films are the same.
        var film = SampleFilm(
            pictures: some(of: ["sea", "hills", "rain"], atMost: 2), sounds: some(of: ["waves", "wind"], atMost: 1))
        film.hasBitrate = number == 3
        let id = try #require(ExportID("00000000-0000-4000-8000-00000000000\(number)"))
        let tenant = tenants[Int.random(in: 0..<tenants.count, using: &numbers)]
        _ = try await farm.store.submit(
            ExportRequest(.document("{}"), label: "film \(number)", priority: 0), id: id, tenant: tenant, idempotency: nil)
        films[id] = film
    }

    private mutating func some(of names: [String], atMost most: Int) -> [String] {
        (0..<Int.random(in: 1...most, using: &numbers)).map { _ in names[Int.random(in: 0..<names.count, using: &numbers)] }
    }

    private mutating func compile() async throws {
        for (source, state) in try await farm.store.exportsToCompile(limit: 2) {
            let film = try #require(films[source.id])
            let isFaulty = try await farm.store.probeResults(of: source.id).values.contains { result in
                if case .fault = result { true } else { false }
            }
            if isFaulty {
                _ = try await farm.store.fail(source.id, ExportFailure(.input, message: "a source is no good"))
            } else if state == .probing {
                try await farm.store.startRendering(
                    source.id, PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount))
            } else {
                let locations = Set(some(of: ["holiday", "song"], atMost: 2)).sorted()
                try await farm.store.startProbing(
                    source.id, jobs: locations.enumerated().map { ($1, .probe($1, ordinal: $0)) })
            }
        }
    }

    private mutating func dispatch() async throws -> [AttemptID] {
        var dispatched: [JobTicket] = []
        for role in WorkerRole.allCases {
            let due = try await farm.candidates(role, perExport: 3, at: time + 3600).map(\.id).sorted()
            let chosen = Array(due.shuffled(using: &numbers).prefix(4))
            dispatched += try await farm.store.dispatch(chosen, at: time)
        }
        tickets += dispatched
        return dispatched.map(\.identity)
    }

    private mutating func reports() -> [JobReport] {
        guard !tickets.isEmpty else { return [] }
        return (0..<Int.random(in: 4...14, using: &numbers)).map { _ in
            let recent = Int.random(in: 0..<4, using: &numbers) > 0 ? max(0, tickets.count - 8) : 0
            let ticket = tickets[Int.random(in: recent..<tickets.count, using: &numbers)]
            let worker = Bool.random(using: &numbers) ? "w1" : "w2"
            return JobReport(
                ticket.identity, worker: worker, outcome(of: ticket),
                log: Int.random(in: 0..<6, using: &numbers) == 0 ? "log \(ticket.job)" : "")
        }
    }

    private mutating func outcome(of ticket: JobTicket) -> JobReport.Outcome {
        switch Int.random(in: 0..<100, using: &numbers) {
        case 0..<15: return .started
        case 15..<78:
            guard case .probe(let location, _) = ticket.work else {
                var cost = JobCost()
                cost.encode = Double(ticket.job)
                return .finished(result: JobResult(cost: cost), reused: Bool.random(using: &numbers))
            }
            return .finished(result: JobResult(facts: .sample(location)), reused: false)
        case 78..<84: return .returned
        case 84..<86: return .cancelled
        default:
            let classes: [FailureClass] = [.transient, .transient, .environment, .crash, .resource, .storage, .input]
            let failureClass = classes[Int.random(in: 0..<classes.count, using: &numbers)]
            let isGone = ticket.kind == .stitch || ticket.kind == .soundtrack
            let missing = tickets[Int.random(in: 0..<tickets.count, using: &numbers)]
            return .failed(
                failure: JobFailure(
                    failureClass, subject: "", message: "went wrong with \(ticket.attempt)",
                    missingArtifacts: isGone && failureClass == .transient && missing.kind != .probe ? [missing.key] : []))
        }
    }

    /// The effects without times of the machine's clock.
    private func comparable(_ effects: JobEffects) -> JobEffects {
        var comparable = effects
        for var job in effects.changes.ready.values {
            job.notBefore = FarmPicture.comparable(job.notBefore) ?? .distantPast
            comparable.changes.becameReady(job)
        }
        return comparable
    }
}

/// All that can be seen of a farm, without times of the machine's clock.
private struct FarmPicture: Equatable {
    /// When histories begin. It is so late that every earlier time is one of the machine's clock.
    static let begin = Date(timeIntervalSince1970: 2_208_988_800)

    var exports: [Export] = []
    var jobs: [Job] = []
    var attempts: [Int64: [JobAttempt]] = [:]
    var events: [ExportID: [ExportEvent]] = [:]
    var probeResults: [ExportID: [String: ProbeResult]] = [:]
    var candidates: [WorkerRole: Set<ReadyJob>] = [:]

    /// A time of the history; nil for one of the machine's clock.
    static func comparable(_ time: Date?) -> Date? {
        guard let time, time >= begin - 1 else { return nil }
        return time
    }

    init(of farm: StoreFixture) async throws {
        let store = farm.store
        for var export in try await store.exports(ExportFilter(limit: 1000)) {
            export.createdAt = Self.begin
            export.finishedAt = Self.comparable(export.finishedAt)
            exports.append(export)
            probeResults[export.id] = try await store.probeResults(of: export.id)
            events[export.id] = try await store.events(of: export.id, after: 0, limit: 1000).map { event in
                // Numbers of events are the farm's; their order within an export counts.
                ExportEvent(
                    id: 0, export: event.export, job: event.job, kind: event.kind, message: event.message,
                    at: Self.comparable(event.at) ?? .distantPast)
            }
        }
        for var job in try await store.jobs(JobFilter(limit: 1000)) {
            attempts[job.id] = try await farm.attempts(job.id).map { attempt in
                var attempt = attempt
                attempt.startedAt = Self.comparable(attempt.startedAt)
                attempt.finishedAt = Self.comparable(attempt.finishedAt)
                return attempt
            }
            job.createdAt = Self.begin
            job.dispatchedAt = Self.comparable(job.dispatchedAt)
            job.startedAt = Self.comparable(job.startedAt)
            job.finishedAt = Self.comparable(job.finishedAt)
            jobs.append(job)
        }
        for role in WorkerRole.allCases {
            let found = try await farm.candidates(role, at: Self.begin + 100_000).map { job in
                var job = job
                job.notBefore = Self.comparable(job.notBefore) ?? .distantPast
                return job
            }
            candidates[role] = Set(found)
        }
    }
}
