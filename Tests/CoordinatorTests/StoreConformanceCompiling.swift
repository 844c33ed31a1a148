import FarmAPI
import Coordinator
import ExportPlan
import Scheduling
import JobQueue
import Testing

@Suite("Every store: the leader's own records")
struct StoreConformanceCompiling {
    @Test("Beginnings of compiling are counted until compiling ends", arguments: StoreKind.allCases)
    func attempts(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let (first, second) = (try await farm.submit().id, try await farm.submit().id)
            for count in 1...3 { #expect(try await farm.store.beginCompiling(first) == count) }
            #expect(try await farm.store.beginCompiling(second) == 1, "each export has its own count")
            try await farm.store.endCompiling(first)
            #expect(try await farm.store.beginCompiling(first) == 1)
            #expect(try await farm.store.beginCompiling(second) == 2)
            try await farm.store.startProbing(second, jobs: [])
            #expect(try await farm.store.beginCompiling(second) == 1, "the export's next state ends the count")
        }
    }

    @Test("The farm's id never changes and differs from any other farm's", arguments: StoreKind.allCases)
    func identity(kind: StoreKind) async throws {
        var seen: Set<String> = []
        for _ in 0..<2 {
            try await onStore(kind) { farm in
                let id = try await farm.store.farm()
                #expect(id.count == 36)
                #expect(try await farm.store.farm() == id)
                seen.insert(id)
            }
        }
        #expect(seen.count == 2)
    }
}
