import FarmAPI
import Coordinator
import DraftModel
import ExportPlan
import InMemoryLogging
import JobQueue
import Logging
import Postgres
import TestSupport
import Testing
import FoundationEssentials

/// An export, a source or a worker of one tenant that cannot be processed fails alone, with the reason; all other
/// exports go on. Each kind of poison meets twenty exports of another tenant.
@Suite("Poison stays with its own export")
struct PoisonTests {
    /// Submits ten healthy exports of another tenant, then the poison, then ten more; all healthy ones must complete.
    private func expectOthersUnharmed(
        _ farm: LeaderFixture, sourceLocation: SourceLocation = #_sourceLocation, poison: () async throws -> ExportID
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

    /// Letters that do not compress.
    private static func letters(_ count: Int) -> String {
        String((0..<count).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement() ?? "a" })
    }

    @Test("A plug-in name that does not fit into an index entry fails only its own export")
    func longName() async throws {
        try await LeaderFixture.run { ticket in
            guard case .probe(let location, _) = ticket.work, PluginLocation.name(of: location) != nil else { return nil }
            return .failed(failure: JobFailure(.input, subject: location, message: "is no plug-in on this worker"))
        } _: { farm in
            let export = try await expectOthersUnharmed(farm) {
                let filter =
                    #"{"type": "externalFilter", "name": "\#(PoisonTests.letters(8000))", "parameters": {},"#
                    + #" "timeRangeAtMainTrack": {"start": 0, "duration": 1}}"#
                return try await farm.submit(LeaderFixture.draft(clips: 1, extra: #""effects": [\#(filter)],"#))
            }
            #expect(export.state == .failed && export.failure?.failureClass == .input)
        }
    }

    @Test("A job that took down a worker's process goes to another worker at once, even among many such jobs")
    func excludedWorkers() async throws {
        let clips = 6
        try await LeaderFixture.run(workers: ["w1": 1, "w2": 1]) { ticket in
            guard ticket.kind == .video, ticket.attempt == 1 else { return nil }
            return .failed(failure: JobFailure(.crash, subject: "", message: "the rendering process died"))
        } _: { farm in
            var exports: [ExportID] = []
            for index in 0..<clips { exports.append(try await farm.submit(LeaderFixture.draft(clips: 1, name: "card\(index)"))) }
            for export in try await farm.over(exports) {
                #expect(export.state == .completed, "\(String(describing: export.failure))")
                for job in try await farm.store.jobs(JobFilter(export: export.id, limit: 100)) where job.kind == .video {
                    let attempts = try #require(try await farm.store.job(job.id, tenant: nil)).attempts
                    let workers = attempts.sorted { $0.number < $1.number }.map(\.worker)
                    #expect(workers.count == 2 && workers[0] != workers[1], "\(workers)")
                }
            }
        }
    }

    @Test("A draft that ended the coordinator five times while it was compiled is not compiled any more")
    func endsTheCoordinator() async throws {
        try await LeaderFixture.run { farm in
            let export = try await expectOthersUnharmed(farm) {
                // As if five coordinators had begun and never ended.
                try await farm.pool.execute("ALTER TABLE exports ALTER COLUMN compile_attempts SET DEFAULT 5")
                let id = try await farm.submit(LeaderFixture.draft(clips: 1, name: "trap"))
                try await farm.pool.execute("ALTER TABLE exports ALTER COLUMN compile_attempts SET DEFAULT 0")
                return id
            }
            #expect(export.state == .failed && export.failure?.failureClass == .crash)
            #expect(
                export.failure?.message
                    == "the coordinator ended 5 times in a row while it compiled this draft; please report it with the draft",
                "\(String(describing: export.failure))")
        }
    }

    @Test("A zero character in a probe result is stored as the replacement character")
    func zeroCharacter() async throws {
        try await LeaderFixture.run { ticket in
            guard case .probe("/media/zero.png", _) = ticket.work else { return nil }
            var facts = SourceFacts.picture("/media/zero.png")
            facts.container = "png\0pipe \\u0000"
            return .finished(result: JobResult(facts: facts), reused: false)
        } _: { farm in
            let export = try await expectOthersUnharmed(farm) {
                try await farm.submit(LeaderFixture.draft(clips: 1, name: "zero"))
            }
            #expect(export.state == .completed)
            let found = try #require(try await farm.store.probeResults(of: export.id)["/media/zero.png"])
            guard case .facts(let facts) = found else { return #expect(Bool(false), "\(found)") }
            #expect(facts.container == "png\u{FFFD}pipe \\u0000")
        }
    }

    @Test("A zero character in a worker's failure message is stored as the replacement character")
    func zeroInMessage() async throws {
        try await LeaderFixture.run { ticket in
            guard case .probe("/media/zero.png", _) = ticket.work else { return nil }
            return .failed(failure: JobFailure(.input, subject: "/media/zero.png", message: "is broken\0 here"))
        } _: { farm in
            let export = try await expectOthersUnharmed(farm) {
                try await farm.submit(LeaderFixture.draft(clips: 1, name: "zero"))
            }
            #expect(export.failure?.message.contains("is broken\u{FFFD} here") == true)
        }
    }

    @Test("A report with a number that JSON cannot express fails only its own export")
    func notANumber() async throws {
        try await LeaderFixture.run { ticket in
            guard ticket.kind == .video, ticket.tenant == 1 else { return nil }
            var cost = JobCost()
            cost.encode = .nan
            return .finished(result: JobResult(cost: cost), reused: false)
        } _: { farm in
            let export = try await expectOthersUnharmed(farm) { try await farm.submit() }
            let job = try #require(export.failure?.job)
            #expect(export.state == .failed)
            #expect(
                export.failure?.message.hasPrefix("the report of worker 'w1' on job \(job) could not be stored: ") == true,
                "\(export.failure?.message ?? "")")
        }
    }

    @Test("A report that violates a check of the database fails only its own export")
    func violatedCheck() async throws {
        try await LeaderFixture.run { farm in
            try await farm.pool.execute("ALTER TABLE artifacts ADD CHECK (tenant_id <> \(farm.tenant) OR kind <> 'video')")
            let export = try await expectOthersUnharmed(farm) { try await farm.submit() }
            #expect(export.state == .failed && export.failure?.message.contains("could not be stored") == true)
        }
    }

    @Test("A message that does not fit into an index entry fails only its own export")
    func longMessage() async throws {
        let message = PoisonTests.letters(20_000)
        try await LeaderFixture.run { ticket in
            guard ticket.kind == .video, ticket.tenant == 1 else { return nil }
            return .failed(failure: JobFailure(.input, subject: "", message: message))
        } _: { farm in
            try await farm.pool.execute("CREATE INDEX ON events (message)")
            let export = try await expectOthersUnharmed(farm) { try await farm.submit() }
            #expect(export.state == .failed)
        }
    }

    @Test("Settings that another version stored in another format fail only their own export")
    func otherShape() async throws {
        try await LeaderFixture.run { farm in
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

    @Test(
        "An export that cannot be compiled or stored does not stop the exports of its tenant that are compiled with it",
        arguments: [
            ("exports", #"NEW.settings ? 'videoQuality'"#, #"NEW.settings = '["old"]'"#),
            (
                "jobs",
                "NEW.kind = 'video' AND EXISTS (SELECT FROM exports WHERE id = NEW.export_id AND settings ? 'videoQuality')",
                "RAISE 'this row is refused'"
            ),
        ])
    func sameBatch(_ table: String, _ condition: String, _ harm: String) async throws {
        try await LeaderFixture.run { farm in
            try await farm.pool.execute(
                """
                CREATE FUNCTION harm() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF \(condition) THEN \(harm); END IF; RETURN NEW; END $$
                """)
            try await farm.pool.execute("CREATE TRIGGER harm BEFORE INSERT ON \(table) FOR EACH ROW EXECUTE FUNCTION harm()")
            var exports: [ExportID] = []
            for place in 0..<20 {
                exports.append(try await farm.submit(settings: place == 10 ? ["videoQuality": "31"] : [:]))
            }
            for (place, export) in try await farm.over(exports).enumerated() {
                #expect(export.state == (place == 10 ? .failed : .completed), "\(export.failure?.message ?? "")")
            }
        }
    }

    @Test("A job that another version stored in another format fails only its own export")
    func otherJob() async throws {
        try await LeaderFixture.run { farm in
            try await farm.pool.execute(
                """
                CREATE FUNCTION reshape() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF NEW.tenant_id = \(farm.tenant) AND NEW.kind = 'video' THEN NEW.work = '{"render": 1}'; END IF;
                  RETURN NEW; END $$
                """)
            try await farm.pool.execute(
                "CREATE TRIGGER reshape BEFORE INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION reshape()")
            let export = try await expectOthersUnharmed(farm) { try await farm.submit() }
            let job = try #require(export.failure?.job)
            #expect(export.state == .failed)
            #expect(
                export.failure?.message.hasPrefix(
                    "job \(job) was stored by another version of spool and cannot be read; submit the draft again: ") == true,
                "\(export.failure?.message ?? "")")
        }
    }

    @Test(
        "An asset whose facts another version stored is probed again",
        arguments: [
            #"{"kind": "picture"}"#, #"{"contentHash": "", "byteCount": 1, "container": "png", "origin": 0}"#,
            #"{"version": 1, "contentHash": "", "byteCount": 1, "container": "png", "origin": 0}"#,
        ])
    func oldFacts(_ facts: String) async throws {
        try await LeaderFixture.run { farm in
            let hash = SourceFacts.picture("asset").contentHash
            try await farm.store.putAsset(
                Asset(hash: hash, byteCount: 1000, name: "card.png", createdAt: Date()), tenant: farm.tenant)
            try await farm.pool.execute("UPDATE assets SET facts = '\(facts)'")
            let export = try await expectOthersUnharmed(farm) {
                let draft = LeaderFixture.draft(clips: 1).replacing("/media/card.png", with: "asset:\(hash)")
                return try await farm.submit(draft)
            }
            #expect(export.state == .completed, "\(export.failure?.message ?? "")")
        }
    }

    @Test("An export that can neither be compiled nor failed does not stop the others", .timeLimit(.minutes(5)))
    func unendable() async throws {
        let log = InMemoryLogHandler()
        try await LeaderFixture.run(log: log) { farm in
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
            func logged(_ text: String) -> Bool {
                log.entries.contains { $0.metadata["export"] == "\(stuck.text)" && $0.message.description.contains(text) }
            }
            while !logged(" cannot be set aside either: ") { try await nextLook() }
            #expect(logged(" is set aside after 3 tries: "))
        }
    }

    @Test("A worker whose status the database refuses is not stored, and the others are")
    func refusedWorker() async throws {
        try await LeaderFixture.run { farm in
            let liar = WorkerStatus(
                id: "w0", host: "here", version: "1", roles: WorkerRole.allCases, pools: ["default"], slots: 0, startedAt: Date(),
                seenAt: Date(), isDraining: false, running: [])
            _ = await farm.queue.heartbeat(liar, lifetime: .seconds(600))
            let export = try await expectOthersUnharmed(farm) { try await farm.submit() }
            #expect(export.state == .completed)
            let noted = try await farm.pool.query("SELECT id FROM workers").map { try $0.get("id", as: String.self) }
            #expect(noted == ["w1"])
        }
    }

    @Test("Two long documents of one tenant with an error in every clip do not delay another tenant's exports")
    func slowDocuments() async throws {
        try await LeaderFixture.run { farm in
            // Changes of the tenant's exports wait for as long as the test holds the lock.
            try await farm.pool.execute(
                """
                CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF NEW.tenant_id = \(farm.tenant) THEN PERFORM pg_advisory_xact_lock(42); END IF; RETURN NEW; END $$
                """)
            try await farm.pool.execute(
                "CREATE TRIGGER linger BEFORE UPDATE ON exports FOR EACH ROW EXECUTE FUNCTION linger()")
            let document = LeaderFixture.draft(clips: 10_000).replacing(#""duration": 1,"#, with: #""duration": 1, "volum": 1,"#)
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

    @Test("An export that takes long to compile does not delay another tenant's film")
    func slowCompiling() async throws {
        try await LeaderFixture.run { farm in
            // Changes of the tenant's exports by the compiler wait for as long as the test holds the lock.
            try await farm.pool.execute(
                """
                CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF NEW.tenant_id = \(farm.tenant) THEN PERFORM pg_advisory_xact_lock(42); END IF; RETURN NEW; END $$
                """)
            try await farm.pool.execute(
                "CREATE TRIGGER linger BEFORE UPDATE ON exports FOR EACH ROW EXECUTE FUNCTION linger()")
            let slow = try await farm.pool.withConnection { connection in
                _ = try await connection.query("SELECT pg_advisory_lock(42)")
                let slow = try await farm.submit(LeaderFixture.draft(clips: 200))
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
