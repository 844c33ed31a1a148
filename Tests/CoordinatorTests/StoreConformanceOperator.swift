import FarmAPI
import Coordinator
import ExportPlan
import Scheduling
import JobQueue
import Testing
import FoundationEssentials

@Suite("Every store: operators")
struct StoreConformanceOperator {
    @Test("A cancelled export has no open job, and its running attempts are returned", arguments: StoreKind.allCases)
    func cancel(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            try await farm.finish(id, .audio)
            let tickets = [try await farm.dispatch(id, .video, 0), try await farm.dispatch(id, .video, 1)]
            try await farm.report(tickets[1], .started)
            let told = try #require(try await farm.store.cancel(id))
            #expect(Set(told) == Set(tickets.map(\.identity)) && told.count == 2)
            let export = try await farm.export(id)
            #expect(export.state == .cancelled && export.finishedAt != nil && export.failure == nil)
            #expect(try await farm.jobs(id, .video).allSatisfy { $0.state == .cancelled && $0.finishedAt != nil })
            #expect(try await farm.job(id, .audio).state == .done)
            for ticket in tickets {
                #expect(try await farm.attempts(ticket.job).map(\.state) == [.cancelled])
                #expect(try await farm.report(ticket, .cancelled) == JobEffects())
                #expect(try await farm.fail(ticket, .crash) == JobEffects())
            }
            #expect(try await farm.eventKinds(id).last == .cancelled)
            #expect(try await farm.dispatchAll().isEmpty)
        }
    }

    @Test("An export can be cancelled once, in every state until it is over", arguments: StoreKind.allCases)
    func cancelOnce(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let open = [
                try await farm.submit().id, try await farm.probing(["sea.mp4"]), try await farm.rendering(SampleFilm()),
            ]
            for id in open {
                #expect(try await farm.store.cancel(id)?.isEmpty == true)
                #expect(try await farm.store.cancel(id) == nil)
            }
            let failed = try await farm.submit().id
            _ = try await farm.store.fail(failed, ExportFailure(.input, message: "no"))
            let completed = try await farm.rendering(SampleFilm(pictures: ["rain"]))
            try await farm.work()
            for id in [failed, completed] {
                let before = try await farm.export(id)
                #expect(try await farm.store.cancel(id) == nil)
                #expect(try await farm.export(id) == before)
            }
        }
    }

    @Test("Retrying a failed job reopens its export", arguments: StoreKind.allCases)
    func retry(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm(sounds: ["waves", "wind"]))
            try await farm.finish(id, .audio, 0)
            for worker in 1...3 { try await farm.fail(try await farm.dispatch(id, .video), .crash, worker: "w\(worker)") }
            let failed = try await farm.job(id, .video)
            #expect(failed.state == .failed)

            try await farm.store.retry(failed.id)
            let export = try await farm.export(id)
            #expect(export.state == .rendering && export.failure == nil && export.finishedAt == nil)
            let states = try await farm.jobs(id).reduce(into: [:]) { $0["\($1.kind) \($1.ordinal)"] = $1.state }
            #expect(
                states == [
                    "video 0": .ready, "video 1": .ready, "audio 0": .done, "audio 1": .ready, "soundtrack 0": .waiting,
                    "stitch 0": .waiting,
                ])
            #expect(try await farm.candidates().allSatisfy { $0.excludedWorkers.isEmpty })
            let ticket = try await farm.dispatch(id, .video)
            #expect(ticket.attempt == 4)
            try await farm.fail(ticket, .crash, worker: "w1")
            #expect(try await farm.job(id, .video).state == .ready, "its failures count from the beginning")
            try await farm.work()
            #expect(try await farm.state(id) == .completed)
        }
    }

    @Test("A failed stitch is ready when retried, because all that it needs exists", arguments: StoreKind.allCases)
    func retryStitch(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm(pictures: ["sea"], sounds: []))
            try await farm.finish(id, .video)
            try await farm.finish(id, .soundtrack)
            try await farm.fail(try await farm.dispatch(id, .stitch), .input)
            try await farm.store.retry(try await farm.job(id, .stitch).id)
            #expect(try await farm.job(id, .stitch).state == .ready)
            try await farm.finish(id, .stitch)
            #expect(try await farm.state(id) == .completed)
        }
    }

    @Test("A source is probed again when its failed probe is retried", arguments: StoreKind.allCases)
    func retryProbe(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.probing(["sea.mp4", "hills.mp4"])
            try await farm.fail(try await farm.dispatch(id, .probe, 0), .input)
            let failed = try await farm.job(id, .probe, 0)
            await expectRefusal(
                .conflict,
                saying: "the export of job \(failed.id) has not failed; only jobs of a failed export are retried"
            ) {
                try await farm.store.retry(failed.id)
            }
            _ = try await farm.store.fail(id, ExportFailure(.input, message: "'sea.mp4' went wrong"))

            try await farm.store.retry(failed.id)
            #expect(try await farm.state(id) == .probing)
            #expect(try await !farm.isToCompile(id))
            #expect(try await farm.jobs(id).map(\.state) == [.ready, .ready])
            try await farm.work()
            #expect(try await farm.isToCompile(id))
            #expect(
                try await farm.store.probeResults(of: id)
                    == ["sea.mp4": .facts(.sample("sea.mp4")), "hills.mp4": .facts(.sample("hills.mp4"))])
        }
    }

    @Test("All failed probes of an export are retried with the one that an operator retries", arguments: StoreKind.allCases)
    func retryProbes(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.probing(["sea.mp4", "hills.mp4"])
            for ordinal in 0...1 { try await farm.fail(try await farm.dispatch(id, .probe, ordinal), .input) }
            _ = try await farm.store.fail(id, ExportFailure(.input, message: "two sources went wrong"))
            try await farm.store.retry(try await farm.job(id, .probe, 0).id)
            #expect(try await farm.jobs(id).map(\.state) == [.ready, .ready])
            #expect(try await farm.eventKinds(id).last == .probing)
            try await farm.work()
            #expect(try await farm.isToCompile(id))
            let facts: [String: ProbeResult] = ["sea.mp4": .facts(.sample("sea.mp4")), "hills.mp4": .facts(.sample("hills.mp4"))]
            #expect(try await farm.store.probeResults(of: id) == facts)
        }
    }

    @Test("Only a failed job of a failed export can be retried", arguments: StoreKind.allCases)
    func noRetry(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            try await farm.finish(id, .audio)
            _ = try await farm.dispatch(id, .video, 1)
            for job in try await farm.jobs(id) {
                await expectRefusal(.conflict, saying: "job \(job.id) has not failed, so there is nothing to retry") {
                    try await farm.store.retry(job.id)
                }
            }
            _ = try await farm.store.cancel(id)
            for job in try await farm.jobs(id) {
                await expectRefusal(.conflict) { try await farm.store.retry(job.id) }
            }
            #expect(try await farm.state(id) == .cancelled)
        }
    }

    @Test("Paused roles are listed", arguments: StoreKind.allCases)
    func pauses(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            #expect(try await farm.store.pausedRoles().isEmpty)
            for _ in 1...2 {
                try await farm.store.setPaused(.video, true)
                try await farm.store.setPaused(.stitch, true)
            }
            #expect(try await farm.store.pausedRoles() == [.video, .stitch])
            #expect(try await farm.store.queues(at: farm.now).map(\.isPaused) == [true, false, true])
            try await farm.store.setPaused(.video, false)
            try await farm.store.setPaused(.audio, false)
            #expect(try await farm.store.pausedRoles() == [.stitch])
        }
    }

    @Test("Queues are counted by role and state, pauses included", arguments: StoreKind.allCases)
    func queues(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let empty = try await farm.store.queues(at: farm.now)
            #expect(empty == WorkerRole.allCases.map { QueueStatus(role: $0, backlog: 0) })
            let before = Date() - 1
            let id = try await farm.rendering(SampleFilm(pictures: ["a", "b", "c", "d"], sounds: ["e", "f"]))
            _ = try await farm.dispatch(id, .video, 0)
            try await farm.report(try await farm.dispatch(id, .video, 1), .started)
            try await farm.finish(id, .video, 2)
            let queues = try await farm.store.queues(at: farm.now)
            #expect(queues.map(\.role) == WorkerRole.allCases)
            #expect(queues.map(\.waiting) == [0, 1, 1])
            #expect(queues.map(\.ready) == [1, 2, 0])
            #expect(queues.map(\.dispatched) == [1, 0, 0])
            #expect(queues.map(\.running) == [1, 0, 0])
            #expect(queues.map(\.pools) == [["default"], ["default"], []])
            #expect(queues.map(\.finishedLastMinute) == [1, 0, 0])
            #expect((before...farm.now).contains(try #require(queues[0].oldestReadySince)))
            #expect(queues[2].oldestReadySince == nil)
        }
    }

    @Test("Waiting times, finished jobs and errors count for a while", arguments: StoreKind.allCases)
    func rates(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm(pictures: ["a", "b", "c"], sounds: []))
            let begin = farm.now
            let tickets = [try await farm.dispatch(id, .video, 0), try await farm.dispatch(id, .video, 1)]
            try await farm.report(tickets[0], .started, at: begin + 10)
            try await farm.report(tickets[1], .started, at: begin + 20)
            func video(_ time: Double) async throws -> QueueStatus {
                try #require(try await farm.store.queues(at: begin + time).first)
            }
            let waited = try #require(try await video(21).waitingTime)
            #expect((15...20).contains(waited), "15 s, and what the test itself took")
            try await farm.report(tickets[0], .finished(result: JobResult(), reused: false), at: begin + 30)
            let failure = JobFailure(.transient, subject: "", message: "the disk is full")
            try await farm.report(tickets[1], .failed(failure: failure), at: begin + 30)
            let third = try await farm.dispatch(id, .video, 2)
            _ = try await farm.store.expireLeases([third.identity], at: begin + 40, jitter: 0)
            #expect(try await video(41).errorsLastHour == 2)
            #expect(try await video(41).finishedLastMinute == 1)
            #expect(try await video(100).finishedLastMinute == 0)
            #expect(try await video(100).waitingTime == nil)
            #expect(try await video(100).errorsLastHour == 2)
            #expect(try await video(3635).errorsLastHour == 1)
            #expect(try await video(3700).errorsLastHour == 0)
        }
    }

    @Test("Jobs are listed by export, state and role, no more than asked for", arguments: StoreKind.allCases)
    func listing(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            _ = try await farm.rendering(SampleFilm(pictures: ["rain"]))
            try await farm.finish(id, .video, 0)
            func count(_ filter: JobFilter) async throws -> Int { try await farm.store.jobs(filter).count }
            #expect(try await count(JobFilter()) == 9)
            #expect(try await count(JobFilter(limit: 4)) == 4)
            #expect(try await count(JobFilter(export: id)) == 5)
            #expect(try await count(JobFilter(export: id, state: .ready)) == 2)
            #expect(try await count(JobFilter(export: id, role: .audio)) == 2)
            #expect(try await count(JobFilter(export: id, state: .done, role: .video)) == 1)
            #expect(try await count(JobFilter(state: .ready, role: .audio)) == 2)
        }
    }

    @Test("Workers are stored, and updated when they are stored again", arguments: StoreKind.allCases)
    func workers(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            var worker = WorkerStatus(
                id: "w1", host: "north", version: "1", roles: [.video], pools: ["default"], slots: 2, startedAt: farm.now,
                seenAt: farm.now, isDraining: false, running: [])
            try await farm.store.note([worker])
            worker.slots = 4
            try await farm.store.note([worker])
            try await farm.store.note([])
        }
    }
}
