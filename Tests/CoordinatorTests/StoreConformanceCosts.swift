import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Postgres
import TestSupport
import Testing
import FoundationEssentials

extension StoredCostModel {
    /// A fit to jobs of one class that took a multiple of the built-in time.
    static func sample(
        _ machine: String = "this machine", _ kind: JobKind = .probe, ratio: Double = 5, jobs: Int = 100,
        at time: Date = Date(timeIntervalSince1970: 1_700_000_000)
    ) -> StoredCostModel {
        guard let costClass = CostClass(kind) else { preconditionFailure("a kind that encodes no pictures") }
        var fit = CostFit(size: kind.features.count)
        let shares = kind.features.indices.map { $0 == 0 ? 1.0 : 0 }
        for _ in 0..<jobs { fit.learn(shares: shares, ratio: ratio) }
        return StoredCostModel(machine: machine, costClass: costClass, fit: fit, updatedAt: time)
    }
}

@Suite("Every store: cost models")
struct StoreConformanceCosts {
    private func names(_ models: [StoredCostModel]) -> [String] { models.map { "\($0.machine): \($0.costClass.name)" } }

    @Test("What was learned is stored, replaced by newer fits, and forgotten by machine", arguments: StoreKind.allCases)
    func life(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            #expect(try await farm.store.costModels().isEmpty)
            let first = [StoredCostModel.sample("b", .stitch), .sample("a", .stitch), .sample("a", .probe)]
            try await farm.store.saveCostModels(first, forgetting: [])
            let stored = try await farm.store.costModels()
            #expect(names(stored) == ["a: probe", "a: stitch", "b: stitch"])
            for model in stored {
                let original = try #require(first.first { ($0.machine, $0.costClass) == (model.machine, model.costClass) })
                #expect(model.fit.jobs == 100 && model.updatedAt == original.updatedAt)
                for (one, other) in zip(model.fit.factors, original.fit.factors) { #expect(abs(one - other) < 1e-6) }
            }
            let later = Date(timeIntervalSince1970: 1_700_000_060)
            try await farm.store.saveCostModels([.sample("a", .probe, jobs: 7, at: later)], forgetting: [])
            let replaced = try await farm.store.costModels()
            #expect(names(replaced) == names(stored))
            #expect(replaced[0].fit.jobs == 7 && replaced[0].updatedAt == later && replaced[1] == stored[1])
            // A machine that comes back in the same step keeps what was learned of it anew, and nothing else.
            try await farm.store.saveCostModels([.sample("a", .allocation)], forgetting: ["a", "b", "nobody"])
            #expect(names(try await farm.store.costModels()) == ["a: allocation"])
            try await farm.store.saveCostModels([], forgetting: [])
            #expect(try await farm.store.costModels().count == 1)
        }
    }

    @Test("Rows that another version stored, or that make no sense, are left out, and can be replaced")
    func unreadable() async throws {
        let pool = PostgresPool(PostgresConfiguration(try await MigratedDatabase.make()), limit: 2)
        let store = PostgresFarmStore(pool)
        try await store.saveCostModels([.sample("a", .stitch), .sample("a", .probe)], forgetting: [])
        try await pool.execute(
            """
            INSERT INTO cost_models (machine, job_class, fit, updated_at)
            SELECT machine, 'nonesuch', fit, updated_at FROM cost_models WHERE job_class = 'probe'
            UNION ALL SELECT machine, 'audio', fit, updated_at FROM cost_models WHERE job_class = 'probe'
            UNION ALL SELECT machine, 'soundtrack', '{}', updated_at FROM cost_models WHERE job_class = 'probe'
            """)
        try await pool.execute("UPDATE cost_models SET fit = jsonb_set(fit, '{version}', '77') WHERE job_class = 'stitch'")
        #expect(names(try await store.costModels()) == ["a: probe"])
        try await store.saveCostModels([.sample("a", .stitch)], forgetting: [])
        #expect(names(try await store.costModels()) == ["a: probe", "a: stitch"])
        await pool.close()
    }

    @Test("A job has the time that was predicted for it, also in the history", arguments: StoreKind.allCases)
    func predicted(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            #expect(try await farm.job(id, .video).predicted == 2)
            #expect(try await farm.job(id, .audio).predicted == 0.5)
            try await farm.work()
            _ = try await farm.store.moveToHistory(endedBefore: farm.now + 10_000, limit: 1000)
            #expect(try await farm.job(id, .video).predicted == 2)
        }
    }

    @Test("A slot is counted as used for as long as its worker says", arguments: StoreKind.allCases)
    func slotSeconds(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let tickets = [try await farm.dispatch(id, .video, 0), try await farm.dispatch(id, .video, 1)]
            for ticket in tickets { try await farm.report(ticket, .started) }
            var result = JobResult()
            result.cost.encode = 3
            let measured = try #require(JobMeasurement(tickets[0].work, seconds: 12.5))
            let said = JobReport(tickets[0].identity, worker: "w1", .finished(result: result, reused: false), measured: measured)
            let first = try await farm.store.apply(said, at: farm.now, jitter: 0)
            #expect(first.changes.ended == [tickets[0].job: 12.5])
            // A worker of an earlier version tells only how long the stages took.
            let second = try await farm.report(tickets[1], .finished(result: result, reused: false))
            #expect(second.changes.ended == [tickets[1].job: 3])
        }
    }
}
