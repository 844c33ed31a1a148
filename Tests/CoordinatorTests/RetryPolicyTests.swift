import Coordinator
import ExportPlan
import TestSupport
import Testing

@Suite("How often and how soon a job is tried again")
struct RetryPolicyTests {
    private func delay(_ count: Int, _ failureClass: FailureClass, luck: Double = 1) -> Double? {
        RetryPolicy.delay(afterFailure: count, failureClass, luck: luck)
    }

    @Test(
        "The number of tries depends on the class of the failure",
        arguments: [(FailureClass.input, 1), (.transient, 5), (.resource, 2), (.crash, 3)])
    func tries(failureClass: FailureClass, tries: Int) {
        for failure in 1..<tries { #expect(delay(failure, failureClass) != nil) }
        for failure in tries...(tries + 3) { #expect(delay(failure, failureClass) == nil) }
    }

    @Test("A machine that lacks something never counts a job out")
    func environment() {
        for failure in [1, 2, 10, 1000, 1_000_000] { #expect(delay(failure, .environment) == 0) }
    }

    @Test("Only what may pass by itself is waited for", arguments: [FailureClass.resource, .crash, .environment])
    func atOnce(failureClass: FailureClass) {
        #expect(delay(1, failureClass) == 0)
    }

    @Test("The wait for something transient doubles from failure to failure")
    func growing() throws {
        #expect((1...4).map { delay($0, .transient) } == [1, 2, 4, 8])
    }

    @Test("Luck spreads the wait between half and all of it")
    func spread() throws {
        var numbers = RandomNumbers(seed: 11)
        for failure in 1...4 {
            let whole = try #require(delay(failure, .transient))
            #expect(delay(failure, .transient, luck: 0) == whole / 2)
            var seen: Set<Double> = []
            for _ in 0..<100 {
                let spread = try #require(delay(failure, .transient, luck: .random(in: 0...1, using: &numbers)))
                #expect((whole / 2...whole).contains(spread))
                seen.insert(spread)
            }
            #expect(seen.count > 90, "retries do not fall together")
        }
    }

    @Test("No wait is longer than a minute")
    func bounded() {
        for failure in 1...20 {
            for failureClass in [FailureClass.input, .transient, .resource, .environment, .crash] {
                #expect((0...60).contains(delay(failure, failureClass) ?? 0))
            }
        }
    }
}
