import Coordinator
import DraftModel
import ExportPlan
import JobQueue
import Postgres
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One tenant's export, medium or worker that cannot be dealt with ends for itself, with the reason; everybody else's exports go
/// on. Each kind of poison meets twenty exports of another tenant.
@Suite("Poison stays with its own export")
struct PoisonTests {
    /// Submits ten healthy exports of another tenant, then the poison, then ten more; all healthy ones must complete.
    private func expectOthersUnharmed(
        _ farm: LedFarm, sourceLocation: SourceLocation = #_sourceLocation, poison: () async throws -> ExportID
    ) async throws -> Export {
        var healthy: [ExportID] = []
        for _ in 0..<10 { healthy.append(try await farm.submit(tenant: farm.other)) }
        let poisoned = try await poison()
        for _ in 0..<10 { healthy.append(try await farm.submit(tenant: farm.other)) }
        for export in try await farm.over(healthy) {
            #expect(export.state == .completed, "\(export.failure?.message ?? "")", sourceLocation: sourceLocation)
        }
        return try #require(try await farm.over([poisoned]).first, sourceLocation: sourceLocation)
    }

    /// Letters that no compression makes short.
    private static func letters(_ count: Int) -> String {
        String((0..<count).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement() ?? "a" })
    }

    @Test("A plug-in whose name does not fit into an index entry")
    func longName() async throws {
        try await LedFarm.run { ticket in
            guard case .probe(let location, _) = ticket.work, PluginLocation.name(of: location) != nil else { return nil }
            return .failed(failure: JobFailure(.input, subject: location, message: "is no plug-in on this worker"))
        } _: { farm in
            let export = try await expectOthersUnharmed(farm) {
                let filter =
                    #"{"type": "externalFilter", "name": "\#(PoisonTests.letters(8000))", "parameters": {},"#
                    + #" "timeRangeAtMainTrack": {"start": 0, "duration": 1}}"#
                return try await farm.submit(LedFarm.draft(clips: 1, extra: #""effects": [\#(filter)],"#))
            }
            #expect(export.state == .failed && export.failure?.failureClass == .input)
        }
    }

    @Test("A zero character in what a probe read out of a file is stored as the replacement character")
    func zeroCharacter() async throws {
        try await LedFarm.run { ticket in
            guard case .probe("/media/zero.png", _) = ticket.work else { return nil }
            var facts = SourceFacts.picture("/media/zero.png")
            facts.container = "png\0pipe \\u0000"
            return .finished(result: JobResult(facts: facts), reused: false)
        } _: { farm in
            let export = try await expectOthersUnharmed(farm) {
                try await farm.submit(LedFarm.draft(clips: 1, name: "zero"))
            }
            #expect(export.state == .completed)
            let found = try #require(try await farm.store.findings(of: export.id)["/media/zero.png"])
            guard case .facts(let facts) = found else { return #expect(Bool(false), "\(found)") }
            #expect(facts.container == "png\u{FFFD}pipe \\u0000")
        }
    }

    @Test("A zero character in a worker's words about a failure")
    func zeroInMessage() async throws {
        try await LedFarm.run { ticket in
            guard case .probe("/media/zero.png", _) = ticket.work else { return nil }
            return .failed(failure: JobFailure(.input, subject: "/media/zero.png", message: "is broken\0 here"))
        } _: { farm in
            let export = try await expectOthersUnharmed(farm) {
                try await farm.submit(LedFarm.draft(clips: 1, name: "zero"))
            }
            #expect(export.failure?.message.contains("is broken\u{FFFD} here") == true)
        }
    }

    @Test("A report that holds what JSON cannot say")
    func notANumber() async throws {
        try await LedFarm.run { ticket in
            guard ticket.kind == .video, ticket.tenant == 1 else { return nil }
            var cost = JobCost()
            cost.encode = .nan
            return .finished(result: JobResult(cost: cost), reused: false)
        } _: { farm in
            let export = try await expectOthersUnharmed(farm) { try await farm.submit() }
            #expect(export.state == .failed && export.failure?.message.contains("could not be stored") == true)
        }
    }

    @Test("A report that violates a check of the database")
    func violatedCheck() async throws {
        try await LedFarm.run { farm in
            try await farm.pool.execute("ALTER TABLE artifacts ADD CHECK (tenant_id <> \(farm.tenant) OR kind <> 'video')")
            let export = try await expectOthersUnharmed(farm) { try await farm.submit() }
            #expect(export.state == .failed && export.failure?.message.contains("could not be stored") == true)
        }
    }

    @Test("A message that does not fit into an index entry")
    func longMessage() async throws {
        let message = PoisonTests.letters(20_000)
        try await LedFarm.run { ticket in
            guard ticket.kind == .video, ticket.tenant == 1 else { return nil }
            return .failed(failure: JobFailure(.input, subject: "", message: message))
        } _: { farm in
            try await farm.pool.execute("CREATE INDEX ON events (message)")
            let export = try await expectOthersUnharmed(farm) { try await farm.submit() }
            #expect(export.state == .failed)
        }
    }

    @Test("Settings and parameters that another version stored in its own shape")
    func otherShape() async throws {
        try await LedFarm.run { farm in
            try await farm.pool.execute(
                """
                CREATE FUNCTION reshape() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF NEW.tenant_id = \(farm.tenant) THEN NEW.settings = '["old"]'; END IF; RETURN NEW; END $$
                """)
            try await farm.pool.execute(
                "CREATE TRIGGER reshape BEFORE INSERT ON exports FOR EACH ROW EXECUTE FUNCTION reshape()")
            let export = try await expectOthersUnharmed(farm) { try await farm.submit() }
            #expect(export.state == .failed && export.failure?.message.contains("could not be compiled") == true)
        }
    }

    @Test("A job that another version stored in its own shape")
    func otherJob() async throws {
        try await LedFarm.run { farm in
            try await farm.pool.execute(
                """
                CREATE FUNCTION reshape() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF NEW.tenant_id = \(farm.tenant) AND NEW.kind = 'video' THEN NEW.work = '{"render": 1}'; END IF;
                  RETURN NEW; END $$
                """)
            try await farm.pool.execute(
                "CREATE TRIGGER reshape BEFORE INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION reshape()")
            let export = try await expectOthersUnharmed(farm) { try await farm.submit() }
            #expect(export.state == .failed && export.failure?.message.contains("another version") == true)
        }
    }

    @Test("What an older version knew of an asset is found out anew")
    func oldFacts() async throws {
        try await LedFarm.run { farm in
            let hash = SourceFacts.picture("asset").contentHash
            try await farm.store.putAsset(
                Asset(hash: hash, byteCount: 1000, name: "card.png", createdAt: Date()), tenant: farm.tenant)
            try await farm.pool.execute("UPDATE assets SET facts = '{\"kind\": \"picture\"}'")
            let export = try await expectOthersUnharmed(farm) {
                let draft = LedFarm.draft(clips: 1).replacing("/media/card.png", with: "asset:\(hash)")
                return try await farm.submit(draft)
            }
            #expect(export.state == .completed, "\(export.failure?.message ?? "")")
        }
    }

    @Test("An export that can neither be compiled nor be failed is left alone")
    func unendable() async throws {
        try await LedFarm.run { farm in
            try await farm.pool.execute(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF NEW.tenant_id = \(farm.tenant) THEN RAISE 'this row is stuck'; END IF; RETURN NEW; END $$
                """)
            try await farm.pool.execute(
                "CREATE TRIGGER refuse BEFORE UPDATE ON exports FOR EACH ROW EXECUTE FUNCTION refuse()")
            let stuck = try await farm.submit()
            var healthy: [ExportID] = []
            for _ in 0..<20 { healthy.append(try await farm.submit(tenant: farm.other)) }
            #expect(try await farm.over(healthy).allSatisfy { $0.state == .completed })
            #expect(try await farm.store.export(stuck, tenant: nil)?.state == .submitted)
        }
    }

    @Test("A worker whose status the database refuses is not written down, and the others are")
    func refusedWorker() async throws {
        try await LedFarm.run { farm in
            let liar = WorkerStatus(
                id: "w0", host: "here", version: "1", roles: WorkerRole.allCases, pools: ["default"], slots: 0, startedAt: Date(),
                seenAt: Date(), isDraining: false, running: [])
            _ = await farm.queue.beat(liar, lifetime: .seconds(600))
            let export = try await expectOthersUnharmed(farm) { try await farm.submit() }
            #expect(export.state == .completed)
            let noted = try await farm.pool.query("SELECT id FROM workers").map { try $0.get("id", as: String.self) }
            #expect(noted == ["w1"])
        }
    }

    @Test("Two documents of one tenant that are faulty in every clip and are still being dealt with")
    func slowDocuments() async throws {
        try await LedFarm.run { farm in
            // What is written of the tenant's exports waits for as long as the test holds the lock.
            try await farm.pool.execute(
                """
                CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF NEW.tenant_id = \(farm.tenant) THEN PERFORM pg_advisory_xact_lock(42); END IF; RETURN NEW; END $$
                """)
            try await farm.pool.execute(
                "CREATE TRIGGER linger BEFORE UPDATE ON exports FOR EACH ROW EXECUTE FUNCTION linger()")
            let document = LedFarm.draft(clips: 10_000).replacing(#""duration": 1,"#, with: #""duration": 1, "volum": 1,"#)
            let slow = try await farm.pool.withConnection { connection in
                _ = try await connection.query("SELECT pg_advisory_lock(42)")
                let slow = [try await farm.submit(document), try await farm.submit(document)]
                var others: [ExportID] = []
                for _ in 0..<20 { others.append(try await farm.submit(tenant: farm.other)) }
                for export in try await farm.over(others) {
                    #expect(export.state == .completed, "\(export.failure?.message ?? "")")
                    let kinds = try await farm.store.events(of: export.id, after: 0, limit: 100).map(\.kind)
                    #expect(kinds == [.submitted, .probing, .rendering, .completed])
                }
                for id in slow { #expect(try await farm.store.export(id, tenant: nil)?.state == .submitted) }
                _ = try await connection.query("SELECT pg_advisory_unlock(42)")
                return slow
            }
            for export in try await farm.over(slow) {
                #expect(export.state == .failed)
                #expect(export.failure?.diagnostics.first?.path.hasPrefix("mainTrackClips[0]") == true)
            }
        }
    }

    @Test("An export that takes long to be compiled does not keep another tenant's film waiting")
    func slowCompiling() async throws {
        try await LedFarm.run { farm in
            // What the compiler writes of the tenant's exports waits for as long as the test holds the lock.
            try await farm.pool.execute(
                """
                CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF NEW.tenant_id = \(farm.tenant) THEN PERFORM pg_advisory_xact_lock(42); END IF; RETURN NEW; END $$
                """)
            try await farm.pool.execute(
                "CREATE TRIGGER linger BEFORE UPDATE ON exports FOR EACH ROW EXECUTE FUNCTION linger()")
            let slow = try await farm.pool.withConnection { connection in
                _ = try await connection.query("SELECT pg_advisory_lock(42)")
                let slow = try await farm.submit(LedFarm.draft(clips: 200))
                let others = [try await farm.submit(tenant: farm.other), try await farm.submit(tenant: farm.other)]
                #expect(try await farm.over(others).allSatisfy { $0.state == .completed })
                #expect(try await farm.store.export(slow, tenant: nil)?.state == .submitted)
                _ = try await connection.query("SELECT pg_advisory_unlock(42)")
                return slow
            }
            #expect(try await farm.over([slow]).first?.state == .completed)
        }
    }
}
