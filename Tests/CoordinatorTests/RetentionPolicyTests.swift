import Coordinator
import FarmAPI
import Testing
import FoundationEssentials

@Suite("Retention policy")
struct RetentionPolicyTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test("The stricter of age and number counts")
    func stricter() async throws {
        let clock = now
        let store = MemoryFarmStore { clock - 3 * 86_400 }
        let farm = StoreFixture(store: store, tenant: try await store.createTenant("studio", weight: 1).id)
        for name in ["sea", "hills"] {
            _ = await store.cancel(try await farm.submit(name).id)
        }
        var policy = RetentionPolicy()
        policy.jobsAge = 7 * 86_400
        policy.jobsCount = nil
        #expect(try await policy.cutoffs(at: now, in: store).jobs == now - 7 * 86_400)
        policy.jobsCount = 1
        #expect(try await policy.cutoffs(at: now, in: store).jobs == now - 3 * 86_400)
        policy.jobsAge = 86_400
        #expect(try await policy.cutoffs(at: now, in: store).jobs == now - 86_400)
        policy.jobsAge = nil
        policy.jobsCount = 5
        #expect(try await policy.cutoffs(at: now, in: store).jobs == nil, "there are no more than five")
    }

    @Test("Nothing expires within two hours, whatever the settings say")
    func shortest() async throws {
        let store = MemoryFarmStore()
        var policy = RetentionPolicy()
        (policy.jobsAge, policy.logsAge, policy.exportsAge, policy.filmsAge) = (0, 0, 0, 0)
        let cutoffs = try await policy.cutoffs(at: now, in: store)
        #expect([cutoffs.jobs, cutoffs.logs, cutoffs.exports] == Array(repeating: now - 7200, count: 3))
        #expect(policy.fileCutoffs(at: now).films == now - 7200)
    }

    @Test("What is within something cannot be kept for longer than that")
    func contradictions() {
        var policy = RetentionPolicy()
        #expect(policy.faults.isEmpty)
        policy.historyAge = 3600
        #expect(policy.faults == ["keepJobs has to be at most keepHistory, because they are removed with them"])
        policy.historyAge = nil
        policy.exportsAge = 3600
        #expect(policy.faults == ["keepJobs has to be at most keepExports, because they are removed with them"])
        policy.exportsAge = nil
        policy.jobsAge = nil
        #expect(policy.faults.isEmpty)
    }

    @Test("A run does all that a preview foretells, and a second one finds nothing", arguments: StoreKind.allCases)
    func run(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            for name in ["sea", "hills", "wood"] { _ = try await farm.rendering(SampleFilm(pictures: [name])) }
            try await farm.work()
            var policy = RetentionPolicy()
            policy.jobsAge = 86_400
            policy.exportsAge = 86_400 * 3
            let retention = Retention(store: farm.store, policy: policy)
            let later = Date() + 86_400 * 2
            let expected = try await retention.preview(at: later)
            var steps = 0
            let counts = try await retention.run(at: later) { _ in steps += 1 }
            #expect(counts == expected && counts.movedExports == 3 && counts.droppedExports == 0 && steps > 0)
            #expect(try await retention.run(at: later).isEmpty)
            #expect(try await retention.run(at: later + 86_400 * 100).droppedExports == 3)
        }
    }
}
