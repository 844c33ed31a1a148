import BlockingWork
import Testing

@Suite("Backoff")
struct BackoffTests {
    private let backoff = Backoff(first: .milliseconds(100), limit: .seconds(1))

    @Test("Full pauses double up to the limit")
    func doubles() {
        let pauses = (1...6).map { backoff.pause(before: $0, chance: 1) }
        #expect(pauses == [100, 200, 400, 800, 1000, 1000].map { .milliseconds($0) })
        #expect(backoff.pause(before: .max, chance: 1) == .seconds(1))
        #expect([.min, 0].map { backoff.pause(before: $0, chance: 1) } == [.milliseconds(100), .milliseconds(100)])
    }

    @Test("Full pauses grow by another factor where one is given, and by none at a factor of 1")
    func growth() {
        let tripling = Backoff(first: .milliseconds(200), growth: 3, limit: .seconds(60), jitter: 0)
        #expect((1...3).map { tripling.pause(before: $0) } == [200, 600, 1800].map { .milliseconds($0) })
        let constant = Backoff(first: .seconds(1), growth: 1, limit: .seconds(60), jitter: 0)
        #expect(constant.pause(before: .max) == .seconds(1))
        #expect(Backoff(first: .zero, limit: .seconds(60)).pause(before: .max) == .zero)
    }

    @Test("The limit also holds for the first pause")
    func limit() {
        #expect(Backoff(first: .seconds(3), limit: .seconds(1)).pause(before: 1, chance: 1) == .seconds(1))
    }

    @Test("Jitter shortens a pause by at most its share")
    func jitter() {
        #expect(backoff.pause(before: 2, chance: 0) == .milliseconds(100))
        #expect(backoff.pause(before: 2, chance: 0.5) == .milliseconds(150))
        #expect(backoff.pause(before: 2, chance: -3) == .milliseconds(100))
        #expect(backoff.pause(before: 2, chance: 7) == .milliseconds(200))
        #expect(Backoff(first: .seconds(1), limit: .seconds(1), jitter: 1).pause(before: 1, chance: 0) == .zero)
    }

    @Test("Random jitter stays within its share, and spreads the pauses of clients that failed together")
    func random() {
        var random = SystemRandomNumberGenerator()
        for (retry, full) in [(1, 100), (2, 200), (3, 400), (4, 800), (5, 1000), (1_000_000, 1000)] {
            let pauses = (0..<100).map { _ in backoff.pause(before: retry, using: &random) }
            #expect(pauses.allSatisfy { $0 >= .milliseconds(full / 2) && $0 <= .milliseconds(full) })
            #expect(Set(pauses).count > 50)
        }
    }
}
