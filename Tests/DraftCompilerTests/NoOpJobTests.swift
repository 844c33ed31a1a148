import ExportPlan
import TestSupport
import Testing

@Suite("No-op jobs")
struct NoOpJobTests {
    @Test("No plan of a draft has one")
    func plans() throws {
        var numbers = RandomNumbers(seed: 20)
        for count in [1, 2, 5, 20] {
            for _ in 0..<10 {
                let jobs = try RandomDraft(clipCount: count, using: &numbers).sample.plan().jobs
                #expect(!jobs.isEmpty)
                #expect(jobs.allSatisfy { $0.work != .noOp })
            }
        }
    }
}
