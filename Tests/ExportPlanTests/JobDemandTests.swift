import ExportPlan
import TestSupport
import Testing
import FoundationEssentials

@Suite("What a job needs of its machine")
struct JobDemandTests {
    @Test(
        "Memory is rounded up to four steps in an octave",
        arguments: [
            (32, 32 << 20), (33, 38 << 20), (38, 38 << 20), (39, 47_448_064), (64, 64 << 20), (100, 112_984_064),
            (1024, 1024 << 20), (1025, 1216 << 20), (3072, 3448 << 20),
        ] as [(Int64, Int64)])
    func steps(megabytes: Int64, rounded: Int64) {
        #expect(JobDemand(memory: megabytes << 20).memory == rounded)
        #expect(JobDemand(memory: rounded).memory == rounded, "a step is rounded to itself")
    }

    @Test("Nothing known stays so, and what is too little or too much is cut")
    func bounds() {
        #expect(JobDemand().memory == 0 && JobDemand(memory: -7).memory == 0)
        #expect(JobDemand(memory: 1).memory == 32 << 20)
        #expect(JobDemand(memory: .max).memory == 1 << 50 && !JobDemand(memory: .max).isWholeMachine)
        #expect(JobDemand.wholeMachine.isWholeMachine && !JobDemand().isWholeMachine)
    }

    @Test("Memory is never rounded down, and by less than a quarter up")
    func limits() {
        var numbers = RandomNumbers(seed: 4)
        for _ in 0..<2000 {
            let memory = Int64.random(in: 32 << 20...1 << 45, using: &numbers)
            let rounded = JobDemand(memory: memory).memory
            #expect(rounded >= memory && Double(rounded) < Double(memory) * 1.25)
        }
    }

    @Test(
        "Processors are rounded up to quarters from one on",
        arguments: [
            (0, 1), (-3, 1), (.nan, 1), (1, 1), (1.01, 1.25), (1.25, 1.25), (7.9, 8), (5000, 1024), (.infinity, 1024),
        ] as [(Double, Double)])
    func processors(given: Double, rounded: Double) {
        #expect(JobDemand(processors: given).processors == rounded)
    }

    @Test("A demand is the same after it was stored, and one of another version is read with what it has")
    func stored() throws {
        for demand in [JobDemand(), JobDemand(memory: 3 << 30, processors: 2.5), .wholeMachine] {
            #expect(try JSONDecoder().decode(JobDemand.self, from: JSONEncoder().encode(demand)) == demand)
        }
        func read(_ json: String) throws -> JobDemand { try JSONDecoder().decode(JobDemand.self, from: Data(json.utf8)) }
        #expect(try read("{}") == JobDemand())
        #expect(try read(#"{"memory":-5,"processors":-1}"#) == JobDemand())
        #expect(try read(#"{"memory":34603008,"disk":7}"#) == JobDemand(memory: 38 << 20), "33 MiB, rounded up")
    }
}
