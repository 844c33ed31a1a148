import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Scheduling
import Testing
import FoundationEssentials

@Suite("Every store: what jobs need of their machines")
struct StoreConformanceDemand {
    private static let large = JobDemand(memory: 3 << 30, processors: 1.25)

    /// An export whose pictures have a demand, and whose other jobs have none.
    private func rendering(_ farm: StoreFixture) async throws -> ExportID {
        let film = SampleFilm(pictures: ["sea"], sounds: ["waves"])
        let jobs = film.jobs.map { job in
            var job = job
            if job.kind == .video { job.demand = Self.large }
            return job
        }
        let id = try await farm.probing([])
        try await farm.store.startRendering(
            id, PlannedExport(jobs: jobs, filmKey: film.filmKey, frameCount: film.frameCount))
        return id
    }

    @Test("A job's demand is that of its plan, for the scheduler, on its ticket and in listings", arguments: StoreKind.allCases)
    func kept(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await rendering(farm)
            #expect(try await farm.candidates(.video).map(\.demand) == [Self.large])
            #expect(try await farm.candidates(.audio).map(\.demand) == [JobDemand()])
            #expect(try await farm.job(id, .video).demand == Self.large)
            #expect(try await farm.job(id, .audio).demand == JobDemand())
            let ticket = try await farm.dispatch(id, .video)
            #expect(ticket.demand == Self.large)
            #expect(try await farm.active().first { $0.job.job.kind == .video }?.job.job.demand == Self.large)
            // A job that becomes ready again is told to the scheduler with its demand.
            let effects = try await farm.report(ticket, .returned)
            #expect(effects.changes.ready.values.map(\.demand) == [Self.large])
        }
    }

    @Test(
        "After an attempt that ran out of a resource the next has a whole machine, and a retry by an operator has not",
        arguments: StoreKind.allCases)
    func alone(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await rendering(farm)
            let effects = try await farm.fail(try await farm.dispatch(id, .video), .resource)
            #expect(effects.changes.ready.values.map(\.demand) == [.wholeMachine])
            #expect(try await farm.candidates(.video).map(\.demand) == [.wholeMachine])
            #expect(try await farm.job(id, .video).demand == Self.large, "what was predicted stays")
            let second = try await farm.dispatch(id, .video)
            #expect(second.demand == .wholeMachine)
            try await farm.fail(second, .resource)
            #expect(try await farm.state(id) == .failed)
            try await farm.store.retry(second.job)
            #expect(try await farm.candidates(.video).map(\.demand) == [Self.large])
        }
    }

    @Test("A failure of another class leaves the demand as it is", arguments: StoreKind.allCases)
    func otherFailures(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await rendering(farm)
            let effects = try await farm.fail(try await farm.dispatch(id, .video), .crash)
            #expect(effects.changes.ready.values.map(\.demand) == [Self.large])
        }
    }

    @Test("The history keeps what was predicted, and what was measured", arguments: StoreKind.allCases)
    func history(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await rendering(farm)
            var result = JobResult()
            result.cost.usage = JobUsage(memory: 300 << 20, processorTime: 2.5)
            let ticket = try await farm.dispatch(id, .video)
            try await farm.report(ticket, .started)
            try await farm.report(ticket, .finished(result: result, reused: false))
            try await farm.work()
            #expect(try await farm.state(id) == .completed)
            #expect(try await farm.store.moveToHistory(endedBefore: farm.now + 10_000, limit: 1000).movedExports == 1)
            #expect(try await farm.job(ticket.job).demand == Self.large)
            #expect(try await farm.attempts(ticket.job).map(\.cost?.usage) == [JobUsage(memory: 300 << 20, processorTime: 2.5)])
        }
    }
}
