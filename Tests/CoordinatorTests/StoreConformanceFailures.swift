import FarmAPI
import Coordinator
import ExportPlan
import Scheduling
import JobQueue
import Testing
import FoundationEssentials

@Suite("Every store: failures")
struct StoreConformanceFailures {
    @Test("A job that may succeed elsewhere or later is retried", arguments: StoreKind.allCases)
    func retried(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let ticket = try await farm.dispatch(id, .video)
            let effects = try await farm.fail(ticket, .transient)
            #expect(effects.hasNews && effects.toCancel.isEmpty)
            let job = try await farm.job(ticket.job)
            #expect(job.state == .ready && job.attempt == 1 && job.finishedAt == nil)
            let attempt = try #require(try await farm.attempts(job.id).first)
            #expect(attempt.state == .failed && attempt.worker == "w1" && attempt.finishedAt != nil)
            #expect(attempt.failure == JobFailure(.transient, subject: "sea.mp4", message: "went wrong"))
            #expect(try await farm.state(id) == .rendering)
            let event = try #require(try await farm.store.events(of: id, after: 0, limit: 10).last)
            #expect(event.kind == .jobRetried && event.job == job.id && event.message.contains("went wrong"))
        }
    }

    @Test("A worker that crashed with a job is excluded on its next ticket", arguments: StoreKind.allCases)
    func excludedWorkers(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            try await farm.fail(try await farm.dispatch(id, .video), .crash, worker: "w1")
            try await farm.fail(try await farm.dispatch(id, .video), .environment, worker: "w2")
            #expect(Set(try await farm.candidates().first { $0.ordinal == 0 }?.excludedWorkers ?? []) == ["w1", "w2"])
        }
    }

    @Test(
        "A job that fails for good ends its export, which gives the reason", arguments: StoreKind.allCases,
        [(FailureClass.input, 1), (.resource, 2), (.crash, 3), (.transient, 5)])
    func failed(kind: StoreKind, tries: (failureClass: FailureClass, count: Int)) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let running = try await farm.dispatch(id, .video, 1)
            try await farm.report(running, .started)
            var effects = JobEffects()
            for _ in 1...tries.count {
                #expect(try await farm.state(id) == .rendering)
                effects = try await farm.fail(try await farm.dispatch(id, .video, 0), tries.failureClass)
            }
            #expect(effects.toCancel == [running.identity])
            let job = try await farm.job(id, .video, 0)
            let export = try await farm.export(id)
            #expect(export.state == .failed && export.finishedAt != nil && job.state == .failed)
            #expect(
                export.failure
                    == ExportFailure(tries.failureClass, message: "'sea.mp4' went wrong", diagnostics: [], job: job.id))
            let others = try await farm.jobs(id).filter { $0.id != job.id }
            #expect(others.count == 4 && others.allSatisfy { $0.state == .cancelled })
            #expect(try await farm.attempts(running.job).map(\.state) == [.cancelled])
            #expect(try await farm.attempts(job.id).allSatisfy { $0.state == .failed })
            let events = try await farm.store.events(of: id, after: 0, limit: 100)
            #expect(events.contains { $0.kind == .jobFailed && $0.job == job.id })
            #expect(events.last?.kind == .failed && events.last?.message.contains("went wrong") == true)
            #expect(try await farm.store.inFlight().isEmpty)
        }
    }

    @Test("Jobs done before an export failed stay done, for other exports to use", arguments: StoreKind.allCases)
    func doneStays(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            try await farm.finish(id, .video, 1)
            try await farm.fail(try await farm.dispatch(id, .video, 0), .input)
            #expect(try await farm.job(id, .video, 1).state == .done)
            #expect(try await farm.job(try await farm.rendering(SampleFilm()), .video, 1).reused)
        }
    }

    @Test("Failures of class environment never fail a job for good", arguments: StoreKind.allCases)
    func environment(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            for attempt in 1...8 {
                try await farm.fail(try await farm.dispatch(id, .video), .environment, worker: "w\(attempt)")
            }
            #expect(try await farm.job(id, .video).state == .ready)
        }
    }

    @Test("An expired lease gives the job to another worker; five fail the export", arguments: StoreKind.allCases)
    func lost(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            for attempt in 1...5 {
                let ticket = try await farm.dispatch(id, .video)
                if attempt % 2 == 0 { try await farm.report(ticket, .started) }
                #expect(try await farm.state(id) == .rendering)
                let effects = try await farm.store.expireLeases([ticket.identity], at: farm.now, jitter: 0)
                #expect(effects.toCancel.isEmpty && (attempt == 5 || effects.hasNews))
            }
            let job = try await farm.job(id, .video)
            #expect(job.state == .failed && job.attempt == 5)
            #expect(try await farm.attempts(job.id).allSatisfy { $0.state == .lost && $0.finishedAt != nil })
            #expect(try await farm.export(id).failure?.failureClass == .transient)
            #expect(try await farm.eventKinds(id).count { $0 == .jobLost } == 5)
        }
    }

    @Test("Many leases can expire at once, some of attempts no longer under way", arguments: StoreKind.allCases)
    func lostTogether(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let tickets = try await farm.dispatchAll()
            #expect(tickets.count == 3)
            try await farm.finish(tickets[0])
            let effects = try await farm.store.expireLeases(tickets.map(\.identity), at: farm.now, jitter: 0)
            #expect(effects.hasNews)
            #expect(try await farm.jobs(id).count { $0.state == .ready } == 2)
            #expect(try await farm.job(tickets[0].job).state == .done)
            #expect(try await farm.store.inFlight().isEmpty)
        }
    }

    @Test("A missing artifact is made again, and then the job that missed it goes on", arguments: StoreKind.allCases)
    func missingArtifact(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm(pictures: ["sea", "hills", "sea"]))
            while try await farm.job(id, .stitch).state != .ready {
                for ticket in try await farm.dispatchAll() where ticket.kind != .stitch { try await farm.finish(ticket) }
            }
            let effects = try await farm.fail(
                try await farm.dispatch(id, .stitch), .transient, missing: .named("sea"))
            #expect(effects.hasNews && effects.toCancel.isEmpty)
            #expect(try await farm.state(id) == .rendering)
            #expect(try await farm.job(id, .stitch).state == .waiting)
            #expect(try await farm.jobs(id, .video).map(\.state) == [.ready, .done, .ready])
            for job in try await farm.jobs(id, .video) where job.state == .ready {
                #expect(job.finishedAt == nil && !job.reused)
            }
            #expect(try await farm.export(id).progress.framesDone == 30)
            let fresh = try await farm.rendering(SampleFilm(pictures: ["sea"], sounds: []))
            #expect(try await farm.job(fresh, .video).state == .ready, "nobody counts on it any more")
            let again = try await farm.work()
            #expect(again.count { $0.key == .named("sea") } == 1)
            #expect(try await farm.state(id) == .completed)
            #expect(try await farm.state(fresh) == .completed)
        }
    }

    @Test("A soundtrack that misses a sound waits until it is mixed again", arguments: StoreKind.allCases)
    func missingSound(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm(sounds: ["waves", "wind"]))
            try await farm.finish(id, .audio, 0)
            try await farm.finish(id, .audio, 1)
            try await farm.fail(try await farm.dispatch(id, .soundtrack), .transient, missing: .named("wind"))
            #expect(try await farm.jobs(id, .audio).map(\.state) == [.done, .ready])
            #expect(try await farm.job(id, .soundtrack).state == .waiting)
            try await farm.finish(id, .audio, 1)
            #expect(try await farm.job(id, .soundtrack).state == .ready)
            try await farm.work()
            #expect(try await farm.state(id) == .completed)
        }
    }

    @Test("A missing artifact that no job of the export makes delays nothing", arguments: StoreKind.allCases)
    func missingForeign(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm(pictures: ["sea"], sounds: []))
            try await farm.fail(try await farm.dispatch(id, .video), .transient, missing: .named("something else"))
            #expect(try await farm.job(id, .video).state == .ready)
            try await farm.work()
            #expect(try await farm.state(id) == .completed)
        }
    }

    @Test(
        "The compiler can fail an export, with all errors of a draft, until it is over", arguments: StoreKind.allCases)
    func failedByCompiler(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.probing(["sea.mp4"])
            let ticket = try await farm.dispatch(id, .probe)
            let failure = ExportFailure(.input, message: "the draft is invalid")
            #expect(try await farm.store.fail(id, failure) == [ticket.identity])
            let export = try await farm.export(id)
            #expect(export.state == .failed && export.failure == failure)
            #expect(try await farm.job(id, .probe).state == .cancelled)
            #expect(try await farm.eventKinds(id).last == .failed)
            #expect(try await farm.store.fail(id, ExportFailure(.crash, message: "again")).isEmpty)
            #expect(try await farm.export(id) == export)
        }
    }
}
