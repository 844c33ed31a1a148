import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Postgres
import TestSupport
import Testing
import FoundationEssentials

@Suite("The audit")
struct AuditTests {
    @Test("Of a farm at work finds nothing, in any state of its jobs", arguments: StoreKind.allCases)
    func clean(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            func isClean() async throws -> Bool { try await farm.store.audit(at: farm.now).isEmpty }
            #expect(try await isClean())
            let id = try await farm.rendering(SampleFilm())
            #expect(try await isClean())
            let ticket = try await farm.dispatch(id, .video)
            #expect(try await isClean())
            try await farm.report(ticket, .started)
            #expect(try await isClean())
            try await farm.finish(ticket)
            #expect(try await isClean())
            _ = try await farm.store.cancel(id)
            #expect(try await isClean())
            _ = try await farm.probing(["/media/a.mp4"])
            #expect(try await isClean())
        }
    }

    @Test("Reports what the farm noted itself: once of each subject, for a day", arguments: StoreKind.allCases)
    func noted(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let now = farm.now
            func fault(_ subject: String, _ detail: String, secondsAgo: Double = 0) -> AuditFault {
                AuditFault(.scheduler, subject: subject, detail: detail, foundAt: now.addingTimeInterval(-secondsAgo))
            }
            try await farm.store.noteFaults([fault("b", "first"), fault("a", "'quoted', \"{}\"\n\u{1F3AC}")])
            try await farm.store.noteFaults([fault("b", "second"), fault("old", "long ago", secondsAgo: AuditFault.lifetime + 1)])
            let faults = try await farm.store.audit(at: now)
            #expect(faults.map(\.subject) == ["a", "b"])
            #expect(faults.map(\.detail) == ["'quoted', \"{}\"\n\u{1F3AC}", "second"])
            #expect(faults.allSatisfy { $0.rule == .scheduler && abs($0.foundAt.timeIntervalSince(now)) < 0.01 })
            try await farm.store.noteFaults([])
        }
    }

    @Test("Reports a hundred faults of a rule at most", arguments: StoreKind.allCases)
    func many(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let faults = (0..<AuditFault.limit + 20).map { number in
                AuditFault(.scheduler, subject: "\(number)", detail: "differs", foundAt: farm.now)
            }
            try await farm.store.noteFaults(faults)
            #expect(try await farm.store.audit(at: farm.now).count == AuditFault.limit)
        }
    }

    /// Each rule on a database that somebody has changed by hand.
    @Test("Finds each fault that is put into the database")
    func inserted() async throws {
        let pool = PostgresPool(PostgresConfiguration(try await MigratedDatabase.make()), limit: 2)
        let store = PostgresFarmStore(pool)
        let farm = StoreFixture(store: store, tenant: try await store.createTenant("studio", weight: 1).id)
        let id = try await farm.rendering(SampleFilm())
        let ticket = try await farm.dispatch(id, .video)
        func faults() async throws -> [String] {
            try await store.audit(at: farm.now).map { "\($0.rule.rawValue): \($0.subject) \($0.detail)" }
        }
        #expect(try await faults().isEmpty)
        try await pool.execute("UPDATE attempts SET state = 'lost', finished_at = now()")
        #expect(try await faults() == ["attempts: \(ticket.job) is dispatched and has no attempt under way"])
        try await pool.execute("UPDATE attempts SET state = 'dispatched', finished_at = NULL")
        try await pool.execute("UPDATE jobs SET state = 'ready' WHERE state = 'dispatched'")
        #expect(try await faults() == ["attempts: \(ticket.job) is ready and has an attempt under way"])
        try await pool.execute("UPDATE jobs SET state = 'dispatched' WHERE id = \(ticket.job)")
        try await pool.execute("UPDATE exports SET state = 'completed', finished_at = now()")
        #expect(try await faults() == ["open-jobs: \(id.text) is completed and has jobs that are not over"])
        try await pool.execute("UPDATE exports SET state = 'rendering', finished_at = NULL")
        try await pool.execute("UPDATE attempts SET state = 'succeeded', finished_at = now()")
        try await pool.execute("UPDATE jobs SET state = 'done', finished_at = now()")
        #expect(try await faults() == ["open-jobs: \(id.text) is rendering and all its jobs are over"])
        try await pool.execute("UPDATE exports SET state = 'cancelled', finished_at = now()")
        #expect(try await faults().isEmpty)
        try await pool.execute("UPDATE queue_counts SET jobs = jobs + 3 WHERE role = 'audio' AND state = 'ready'")
        #expect(try await faults() == ["job-counts: audio:default shows 3 ready jobs, and there are 0"])
        await pool.close()
    }
}
