import FarmAPI
import Coordinator
import ExportPlan
import TestSupport
import Testing

@Suite("Retry policy")
struct RetryPolicyTests {
    private func delay(_ count: Int, _ failureClass: FailureClass, jitter: Double = 1) -> Double? {
        RetryPolicy.delay(afterFailure: count, failureClass, jitter: jitter)
    }

    @Test(
        "The number of attempts depends on the class of the failure",
        arguments: [(FailureClass.input, 1), (.transient, 5), (.resource, 2), (.crash, 3)])
    func tries(failureClass: FailureClass, tries: Int) {
        for failure in 1..<tries { #expect(delay(failure, failureClass) != nil) }
        for failure in tries...(tries + 3) { #expect(delay(failure, failureClass) == nil) }
    }

    @Test("A job never fails for good because a machine lacks something")
    func environment() {
        for failure in [1, 2, 10, 1000, 1_000_000] { #expect(delay(failure, .environment) == 0) }
    }

    @Test("A retry is immediate where waiting does not help", arguments: [FailureClass.resource, .crash, .environment])
    func atOnce(failureClass: FailureClass) {
        #expect(delay(1, failureClass) == 0)
    }

    @Test("The pause before the retry of a transient failure doubles from failure to failure")
    func growing() throws {
        #expect((1...4).map { delay($0, .transient) } == [1, 2, 4, 8])
    }

    @Test("The pause for storage begins shorter and grows to a minute, for more than an hour in all")
    func storage() {
        #expect((1...10).map { delay($0, .storage) } == [0.25, 0.5, 1, 2, 4, 8, 16, 32, 60, 60])
        let least = (1..<1000).prefix { delay($0, .storage) != nil }.compactMap { delay($0, .storage, jitter: 0) }.reduce(0, +)
        #expect(least > 3600)
    }

    @Test("Jitter spreads the pause between half and all of its length")
    func spread() throws {
        var numbers = RandomNumbers(seed: 11)
        for failure in 1...4 {
            let whole = try #require(delay(failure, .transient))
            #expect(delay(failure, .transient, jitter: 0) == whole / 2)
            var seen: Set<Double> = []
            for _ in 0..<100 {
                let spread = try #require(delay(failure, .transient, jitter: .random(in: 0...1, using: &numbers)))
                #expect((whole / 2...whole).contains(spread))
                seen.insert(spread)
            }
            #expect(seen.count > 90, "retries do not fall together")
        }
    }

    @Test("No pause is longer than a minute")
    func bounded() {
        for failure in 1...20 {
            for failureClass in [FailureClass.input, .transient, .resource, .environment, .crash] {
                #expect((0...60).contains(delay(failure, failureClass) ?? 0))
            }
        }
    }
}
