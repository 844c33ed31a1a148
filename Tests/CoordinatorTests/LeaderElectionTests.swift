import Coordinator
import InMemoryLogging
import JobQueue
import Logging
import Postgres
import Testing
import FoundationEssentials

@Suite("The election of the leader", .timeLimit(.minutes(2)))
struct LeaderElectionTests {
    /// A lease that runs out only in a test that waits for it.
    private static let long = Duration.seconds(3600)
    private static let short = Duration.seconds(1)

    @Test("One of two candidates leads, and gives the lead to the other at once when it ends")
    func cleanEnd() async throws {
        let farm = try await LeaseFixture()
        let leaders = Leaders()
        // The lease would last for longer than the test, and so would the second candidate's pause between two looks.
        let first = Task { await farm.election("first", lease: Self.long).run { await leaders.lead("first", $0) } }
        try await farm.eventually { await leaders.now == ["first"] }
        let election = farm.election("second", lease: Self.long)
        let listener = PostgresListener(farm.configuration, channels: [PostgresFarmStore.leadChannel])
        let second = Task { await election.run { await leaders.lead("second", $0) } }
        let listening = Task { try await listener.run() }
        let calling = Task {
            for await event in listener.events {
                if event == .listening { first.cancel() }
                if case .notification = event { election.standNow() }
            }
        }
        try await farm.eventually { await leaders.history.contains("second") }
        await first.value
        #expect(await leaders.now == ["second"])
        #expect(try await farm.lead().holder == "second")
        for task in [second, calling] { task.cancel() }
        listening.cancel()
        await second.value
        #expect(try await farm.lead().holder == nil)
        await farm.pool.close()
    }

    @Test("A lead that is not renewed is taken when its lease has run out, and not before")
    func silence() async throws {
        let farm = try await LeaseFixture()
        let leaders = Leaders()
        let silent = try await farm.take()
        let renewed = try #require(
            try await farm.pool.query("SELECT renewed_at FROM lead").first?.get("renewed_at", as: Date.self))
        let next = Task { await farm.election("next", lease: Self.short).run { await leaders.lead("next", $0) } }
        try await farm.eventually { await leaders.now == ["next"] }
        let row = try #require(
            try await farm.pool.query("SELECT epoch, holder, renewed_at FROM lead").first)
        #expect(try row.get("epoch", as: Int64.self) == silent.epoch + 1)
        #expect(try row.get("holder", as: String.self) == "next")
        // The row holds the time of the taking, or of a renewal after it.
        #expect(try row.get("renewed_at", as: Date.self).timeIntervalSince(renewed) >= 1)
        next.cancel()
        await next.value
        await farm.pool.close()
    }

    @Test("A lead that was last renewed in the future, because the clock was set back, is taken")
    func clockSetBack() async throws {
        let farm = try await LeaseFixture()
        let leaders = Leaders()
        _ = try await farm.take()
        try await farm.pool.execute("UPDATE lead SET renewed_at = now() + interval '1 hour'")
        let next = Task { await farm.election("next", lease: .seconds(60)).run { await leaders.lead("next", $0) } }
        try await farm.eventually { await leaders.now == ["next"] }
        next.cancel()
        await next.value
        await farm.pool.close()
    }

    @Test("Sessions that were stopped in the middle of transactions of the last leader do not hold up the next one")
    func stoppedSessions() async throws {
        let farm = try await LeaseFixture()
        let leaders = Leaders()
        let silent = try await farm.take()
        var stopped: [PostgresConnection] = []
        for _ in 0..<3 {
            let connection = try await PostgresConnection.connect(farm.configuration)
            try await connection.executeScript("BEGIN; SELECT require_lead(\(silent.epoch))")
            stopped.append(connection)
        }
        let next = Task { await farm.election("next", lease: Self.short).run { await leaders.lead("next", $0) } }
        try await farm.eventually { await leaders.now == ["next"] }
        for connection in stopped {
            await #expect(throws: PostgresError.self) { try await connection.execute("COMMIT") }
        }
        next.cancel()
        await next.value
        await farm.pool.close()
    }

    @Test("A leader that goes on keeps the lead while others stand for it and its own transactions last")
    func renewals() async throws {
        let farm = try await LeaseFixture()
        let leaders = Leaders()
        let election = Task { await farm.election("leader", lease: Self.short).run { await leaders.lead("leader", $0) } }
        try await farm.eventually { await leaders.now == ["leader"] }
        let others = Task {
            await withTaskGroup(of: Void.self) { group in
                for name in ["a", "b"] {
                    group.addTask { await farm.election(name, lease: Self.short).run { await leaders.lead(name, $0) } }
                }
            }
        }
        let epoch = try await farm.lead().epoch
        let writing = try await PostgresConnection.connect(farm.configuration)
        try await writing.executeScript("BEGIN; SELECT require_lead(\(epoch))")
        // The transaction lasts for longer than the lease.
        try await farm.eventually {
            let rows = try await writing.query(
                "SELECT clock_timestamp() - now() > interval '2 seconds' AS long FROM lead WHERE epoch = $1", [.int64(epoch)])
            return try #require(rows.first).get("long", as: Bool.self)
        }
        try await writing.execute("COMMIT")
        #expect(try await farm.lead().epoch == epoch)
        #expect(await leaders.history == ["leader"])
        others.cancel()
        await others.value
        election.cancel()
        await election.value
        await farm.pool.close()
    }

    @Test("A leader whose work stands still loses the lead to another coordinator, although its process goes on")
    func standstill() async throws {
        let farm = try await LeaseFixture()
        let (leaders, log) = (Leaders(), InMemoryLogHandler())
        // So long that only a lead that is given back changes hands.
        let lease = Duration.seconds(5)
        // It renews the lead, and its work never comes to the next step.
        let hung = Task {
            await farm.election("hung", lease: lease, longestStep: .milliseconds(500), log: log).run { _ in
                await leaders.begin("hung")
                while await leaders.history.last == "hung" {
                    // It does not notice that it is cancelled either.
                    await Task { _ = await WakeSignal().wait(atMost: .milliseconds(20)) }.value
                }
                await leaders.end("hung")
            }
        }
        try await farm.eventually { await leaders.now == ["hung"] }
        let next = Task { await farm.election("next", lease: lease).run { await leaders.lead("next", $0) } }
        try await farm.eventually { await leaders.now == ["next"] }
        let messages = log.entries.map(\.message.description)
        #expect(
            messages.contains {
                $0.hasPrefix("the leader's work has stood still for ") && $0.hasSuffix(": giving the lead back")
            }, "\(messages)")
        for task in [hung, next] { task.cancel() }
        for task in [hung, next] { await task.value }
        await farm.pool.close()
    }
}
