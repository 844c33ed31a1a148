import FarmAPI
import Coordinator
import ExportPlan
import Scheduling
import JobQueue
import Testing
import FoundationEssentials

@Suite("Every store: dispatch")
struct StoreConformanceDispatch {
    @Test("Candidates are a role's ready jobs, the first few of each export in order", arguments: StoreKind.allCases)
    func candidates(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let long = try await farm.rendering(SampleFilm(pictures: (1...6).map { "a\($0)" }, sounds: ["b1", "b2"]))
            let short = try await farm.rendering(SampleFilm(pictures: ["c1"], sounds: []))
            let probing = try await farm.probing(["sea.mp4"])
            func chosen(_ role: WorkerRole, _ perExport: Int, _ id: ExportID) async throws -> [Int] {
                try await farm.candidates(role, perExport: perExport).filter { $0.export == id }.map(\.ordinal).sorted()
            }
            #expect(try await chosen(.video, 3, long) == [0, 1, 2])
            #expect(try await chosen(.video, 3, short) == [0])
            #expect(try await chosen(.video, 100, long) == Array(0...5))
            #expect(try await chosen(.audio, 100, long) == [0, 1])
            #expect(try await farm.candidates(.stitch).isEmpty)
            let probe = try #require(try await farm.candidates().first { $0.export == probing })
            #expect(probe.kind == .probe && probe.predicted == 0.1)
            #expect(try await farm.candidates(.audio).filter { $0.export == short }.map(\.kind) == [.soundtrack])
        }
    }

    @Test("An open export and its active jobs carry all that the choice depends on", arguments: StoreKind.allCases)
    func candidate(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let request = ExportRequest(.document("{}"), label: "film", priority: 42, pool: "gpu")
            let before = Date() - 1
            let export = try await farm.store.submit(request, id: ExportID(), tenant: farm.tenant, idempotency: nil).export
            #expect(try await farm.store.openExports(after: 0, limit: 10).isEmpty, "it has no jobs yet")
            try await farm.store.startProbing(export.id, jobs: [])
            let film = SampleFilm(pictures: ["sea"], sounds: [])
            try await farm.store.startRendering(
                export.id, PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount))
            let queued = try #require(try await farm.store.openExports(among: [export.id, ExportID()]).first)
            #expect(try await farm.store.openExports(after: 0, limit: 10) == [queued])
            #expect(try await farm.store.openExports(after: queued.number, limit: 10).isEmpty)
            #expect(queued.id == export.id && queued.tenant == farm.tenant && queued.number == export.number)
            #expect(queued.pool == "gpu" && queued.priority == 42 && (before...farm.now).contains(queued.since))
            let job = try #require(try await farm.candidates().first)
            #expect(job.id == (try await farm.job(export.id, .video).id) && job.kind == .video && job.ordinal == 0)
            #expect(job.export == export.id && job.key == .named("sea") && job.predicted == 2)
            #expect(job.excludedWorkers.isEmpty && job.notBefore <= farm.now)
            _ = try await farm.store.cancel(export.id)
            #expect(try await farm.store.openExports(among: [export.id]).isEmpty)
        }
    }

    @Test("Open exports are listed in pages, in the order of their numbers", arguments: StoreKind.allCases)
    func pages(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let probing = try await farm.probing(["sea.mp4"])
            let first = try await farm.rendering(SampleFilm(pictures: ["a"]))
            let over = try await farm.rendering(SampleFilm(pictures: ["b"]))
            _ = try await farm.store.cancel(over)
            let last = try await farm.probing(["hills.mp4"])
            let page = try await farm.store.openExports(after: 0, limit: 2)
            #expect(page.map(\.id) == [probing, first])
            let middle = try #require(page.last)
            #expect(try await farm.store.openExports(after: middle.number, limit: 2).map(\.id) == [last])
        }
    }

    @Test("After a dispatch neither the job nor another for its artifact is a candidate", arguments: StoreKind.allCases)
    func sameArtifact(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let other = try await farm.store.createTenant("other", weight: 1).id
            let first = try await farm.rendering(SampleFilm(pictures: ["sea", "hills"]))
            let second = try await farm.rendering(SampleFilm(pictures: ["rain", "sea"]))
            let theirs = try await farm.rendering(SampleFilm(pictures: ["sea"]), tenant: other)
            let ticket = try await farm.dispatch(first, .video, 0)
            func keys(_ id: ExportID) async throws -> [ArtifactKey] {
                try await farm.candidates().filter { $0.export == id }.map(\.key)
            }
            #expect(try await keys(first) == [.named("hills")])
            #expect(try await keys(second) == [.named("rain")])
            #expect(try await keys(theirs) == [.named("sea")], "another tenant's artifact is another")
            let twin = try await farm.job(second, .video, 1)
            #expect(try await farm.store.dispatch([twin.id], at: farm.now).isEmpty)
            try await farm.report(ticket, .started)
            #expect(try await farm.store.dispatch([twin.id], at: farm.now).isEmpty)
            #expect(try await farm.job(twin.id).state == .ready)
            try await farm.report(ticket, .returned)
            #expect(Set(try await keys(second)) == [.named("rain"), .named("sea")])
        }
    }

    @Test("Only one of two jobs for one artifact that are dispatched together goes", arguments: StoreKind.allCases)
    func together(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let first = try await farm.job(try await farm.rendering(SampleFilm(pictures: ["sea"])), .video)
            let second = try await farm.job(try await farm.rendering(SampleFilm(pictures: ["sea"])), .video)
            #expect(try await farm.store.dispatch([first.id, second.id], at: farm.now).count == 1)
        }
    }

    @Test("A ticket carries all that a worker needs to know", arguments: StoreKind.allCases)
    func ticket(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let film = SampleFilm(pictures: ["sea"])
            let id = try await farm.probing(["asset:holiday", "copy of it", "song.mp3"])
            for (ordinal, name) in ["holiday", "holiday", "song"].enumerated() {
                try await farm.finish(try await farm.dispatch(id, .probe, ordinal), facts: .sample(name))
            }
            try await farm.store.startRendering(
                id, PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount))
            let job = try await farm.job(id, .video)
            let ticket = try await farm.dispatch(id, .video)
            #expect(ticket.job == job.id && ticket.attempt == 1 && ticket.kind == .video && ticket.tenant == farm.tenant)
            #expect(ticket.pool == "default" && ticket.key == job.key && ticket.frameCount == 30)
            guard case .video(let segment, let sources) = ticket.work,
                case .video(let planned, _)? = film.jobs.first?.work
            else {
                Issue.record("\(ticket.work)")
                return
            }
            #expect(segment == planned)
            #expect(sources.map(\.facts) == [.sample("holiday")], "only what it shows, once")
            #expect(sources.allSatisfy { ["asset:holiday", "copy of it"].contains($0.path) })
        }
    }

    @Test("A job that needs no source has no source in its ticket", arguments: StoreKind.allCases)
    func withoutSources(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let film = SampleFilm(pictures: ["sea"])
            let id = try await farm.rendering(film)
            let tickets = try await farm.work()
            let soundtrack = try #require(tickets.first { $0.kind == .soundtrack })
            let stitch = try #require(tickets.first { $0.kind == .stitch })
            #expect(soundtrack.work == film.jobs.first { $0.kind == .soundtrack }?.work)
            #expect(stitch.work == film.jobs.first { $0.kind == .stitch }?.work && stitch.frameCount == 30)
            #expect(try await farm.state(id) == .completed)
        }
    }

    @Test("Only ready jobs are dispatched, and only once", arguments: StoreKind.allCases)
    func onlyReady(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let time = farm.now
            let jobs = try await farm.jobs(id)
            let tickets = try await farm.store.dispatch(jobs.map(\.id) + [jobs[0].id, 1_000_000], at: time)
            #expect(Set(tickets.map(\.kind)) == [.video, .audio] && tickets.count == 3)
            #expect(try await farm.store.dispatch(jobs.map(\.id), at: time).isEmpty)
            let job = try await farm.job(id, .video)
            #expect(job.state == .dispatched && job.attempt == 1 && job.worker == nil && job.startedAt == nil)
            #expect(abs(try #require(job.dispatchedAt).timeIntervalSince(time)) < 0.001)
            let attempt = try #require(try await farm.attempts(job.id).first)
            #expect(attempt.number == 1 && attempt.state == .dispatched && attempt.finishedAt == nil)
            #expect(abs(attempt.dispatchedAt.timeIntervalSince(time)) < 0.001)
        }
    }

    @Test("Jobs in flight are listed with their time, and with the workers that have begun them", arguments: StoreKind.allCases)
    func inFlight(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let first = try await farm.rendering(SampleFilm(pictures: ["a", "b", "c"], sounds: ["d"]))
            #expect(try await farm.store.inFlight().isEmpty)
            let tickets = [
                try await farm.dispatch(first, .video, 0), try await farm.dispatch(first, .video, 1),
                try await farm.dispatch(first, .audio),
            ]
            try await farm.report(tickets[1], .started, worker: "w2")
            #expect(Set(try await farm.store.inFlight().map(\.id)) == Set(tickets.map(\.identity)))
            #expect(try await farm.store.inFlight().allSatisfy { abs($0.dispatchedAt.timeIntervalSinceNow) < 60 })
            let active = try await farm.store.activeJobs(of: [first])
            #expect(Set(active.filter(\.isInFlight).map(\.job.id)) == Set(tickets.map(\.job)))
            #expect(active.compactMap(\.worker) == ["w2"] && active.first { $0.worker != nil }?.job.id == tickets[1].job)
            #expect(active.filter { !$0.isInFlight }.map(\.job.ordinal) == [2], "the third picture is ready")
        }
    }

    @Test("A job is no candidate before its time", arguments: StoreKind.allCases)
    func notBefore(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm(pictures: ["sea"], sounds: []))
            let time = farm.now
            let ticket = try await farm.dispatch(id, .video)
            let failure = JobFailure(.transient, subject: "", message: "the disk is full")
            let report = JobReport(ticket.identity, worker: "w1", .failed(failure: failure))
            _ = try await farm.store.apply(report, at: time, jitter: 1)
            #expect(try await farm.candidates(at: time + 0.9).isEmpty)
            #expect(try await farm.candidates(at: time + 1.1).count == 1)
        }
    }
}
