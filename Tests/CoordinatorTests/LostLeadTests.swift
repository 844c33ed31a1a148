import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Logging
import Postgres
import Scheduling
import Testing
import FoundationEssentials

/// A leader that has lost the lead changes nothing any more.
@Suite("A lost lead", .timeLimit(.minutes(2)))
struct LostLeadTests {
    /// A farm with work in every state that a leader's writes start from.
    private struct Scene {
        let farm: LeaseFixture
        let tenant: Int64
        let submitted: ExportID
        let probing: ExportID
        let rendering: ExportID
        let ready: Int64
        let running: JobTicket
        let webhook: Int64
        let delivery: OutgoingDelivery

        init() async throws {
            farm = try await LeaseFixture()
            tenant = try await farm.store.createTenant("studio", weight: 1).id
            let store = StoreFixture(store: farm.store, tenant: tenant)
            submitted = try await store.submit().id
            probing = try await store.probing([])
            rendering = try await store.rendering(SampleFilm(pictures: ["sea", "hills", "wood"]))
            let candidates = try await store.candidates()
            running = try #require(try await farm.store.dispatch([candidates[0].id], at: store.now).first)
            try await store.report(running, .started)
            ready = candidates[1].id
            webhook = try await farm.store.createWebhook(
                NewWebhook(address: "https://example.com/"), secret: WebhookSecret().text, tenant: tenant
            ).id
            _ = try await farm.store.testWebhook(webhook, tenant: nil)
            let due = try await farm.store.dueDeliveries(at: store.now, perWebhook: 1, underWay: [:], limit: 1)
            delivery = try #require(due.first)
        }

        /// All calls with which a leader writes, and those of others.
        var writes: [(name: String, call: @Sendable (PostgresFarmStore) async throws -> Void)] {
            let film = SampleFilm(pictures: ["dunes"])
            let plan = PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount)
            let (tenant, submitted, probing, rendering, ready, running) = (tenant, submitted, probing, rendering, ready, running)
            let (webhook, delivery) = (webhook, delivery)
            let now = Date() + 1
            let worker = WorkerStatus(
                id: "w1", host: "h", version: "1", roles: [.video], pools: ["default"], slots: 1, startedAt: now, seenAt: now,
                isDraining: false, running: [])
            return [
                ("beginCompiling", { _ = try await $0.beginCompiling(submitted) }),
                ("endCompiling", { try await $0.endCompiling(submitted) }),
                ("startProbing", { try await $0.startProbing(submitted, jobs: [("a.mp4", .probe("a.mp4", ordinal: 0))]) }),
                ("startRendering", { try await $0.startRendering(probing, plan) }),
                ("dispatch", { _ = try await $0.dispatch([ready], at: now) }),
                (
                    "apply",
                    {
                        let outcome = JobReport.Outcome.finished(result: JobResult(), reused: false)
                        _ = try await $0.apply(JobReport(running.identity, worker: "w1", outcome), at: now, jitter: 0)
                    }
                ),
                ("expireLeases", { _ = try await $0.expireLeases([running.identity], at: now, jitter: 0) }),
                ("note", { try await $0.note([worker]) }),
                ("saveCostModels", { try await $0.saveCostModels([.sample()], forgetting: ["another"]) }),
                ("forget", { try await $0.forget([film.filmKey], tenant: tenant) }),
                ("fail", { _ = try await $0.fail(rendering, ExportFailure(.crash, message: "ended")) }),
                ("cancel", { _ = try await $0.cancel(rendering) }),
                ("setPaused", { try await $0.setPaused(.video, true) }),
                ("createTenant", { _ = try await $0.createTenant("other", weight: 1) }),
                ("changeTenant", { _ = try await $0.changeTenant("studio", weight: 2, priorityCap: -1) }),
                (
                    "createToken",
                    {
                        _ = try await $0.createToken(
                            "t", tenant: "studio", scopes: [.read], hash: String(repeating: "a", count: 64))
                    }
                ),
                ("revokeToken", { _ = try await $0.revokeToken(1) }),
                (
                    "putAsset",
                    {
                        let asset = Asset(hash: String(repeating: "a", count: 64), byteCount: 1, name: "a.mp4", createdAt: now)
                        try await $0.putAsset(asset, tenant: tenant)
                    }
                ),
                (
                    "noteFaults",
                    { try await $0.noteFaults([AuditFault(.scheduler, subject: "x", detail: "differs", foundAt: now)]) }
                ),
                (
                    "submit a batch",
                    {
                        let row = BatchRow(number: 1, values: [:], output: "1.mp4", tags: [:])
                        let request = ExportRequest(.document("{}"), label: "batch")
                        _ = try await $0.submit(NewBatch(request, id: BatchID(), tenant: tenant, columns: [], rows: [row]))
                    }
                ),
                ("releaseRows", { _ = try await $0.releaseRows(at: now) }),
                ("cancelWaiting", { _ = try await $0.cancelWaiting(BatchID(), limit: 1) }),
                ("rerunFailed", { _ = try await $0.rerunFailed(BatchID()) }),
                ("putDraft", { _ = try await $0.putDraft("name", document: "{}", tenant: tenant) }),
                (
                    "submit",
                    {
                        _ = try await $0.submit(
                            ExportRequest(.document("{}"), label: "film"), id: ExportID(), tenant: tenant, idempotency: nil)
                    }
                ),
                (
                    "createWebhook",
                    {
                        let wanted = NewWebhook(address: "https://example.org/")
                        _ = try await $0.createWebhook(wanted, secret: WebhookSecret().text, tenant: tenant)
                    }
                ),
                ("changeWebhook", { _ = try await $0.changeWebhook(webhook, WebhookChange(label: "x"), tenant: nil) }),
                (
                    "rotateSecret",
                    { _ = try await $0.rotateSecret(of: webhook, to: WebhookSecret().text, overlap: 60, tenant: nil) }
                ),
                ("testWebhook", { _ = try await $0.testWebhook(webhook, tenant: nil) }),
                (
                    "record",
                    {
                        let attempt = WebhookAttempt(at: now, status: 200, message: "yes")
                        try await $0.record(attempt, at: delivery, .delivered)
                    }
                ),
                ("redeliver", { _ = try await $0.redeliver(delivery.id, of: webhook) }),
                ("dropDeliveries", { _ = try await $0.dropDeliveries(endedBefore: now, limit: 1) }),
                ("dropAdminActions", { _ = try await $0.dropAdminActions(before: now, limit: 1) }),
                ("dropWorkers", { _ = try await $0.dropWorkers(unseenSince: now, limit: 1) }),
                ("removeWebhook", { _ = try await $0.removeWebhook(webhook, tenant: nil) }),
                ("skipNumbers", { _ = try await $0.skipNumbers(behindJob: 1 << 40) }),
            ]
        }

        /// All rows of the tables that a leader writes, as one text.
        func rows() async throws -> String {
            var text = ""
            for table in [
                "tenants", "tokens", "exports", "jobs", "attempts", "events", "export_sources", "workers", "pauses", "drafts",
                "cost_models", "faults", "remote_sources", "batches", "batch_rows", "webhooks", "webhook_deliveries",
                "publications", "admin_actions",
            ] {
                let row = try await farm.pool.query(
                    "SELECT coalesce(string_agg(entry::text, ';' ORDER BY entry::text), '') AS content FROM \(table) AS entry"
                ).first
                text += "\(table): \(try row?.get("content", as: String.self) ?? "")\n"
            }
            return text
        }
    }

    @Test("Every write of a leader that has lost the lead is refused, and changes nothing")
    func refused() async throws {
        let scene = try await Scene()
        let term = try await scene.farm.take()
        let store = scene.farm.store.leading(term)
        try await store.confirmLead()
        let before = try await scene.rows()
        _ = try await scene.farm.take(as: "next")
        for write in scene.writes {
            let error = await #expect(throws: FarmError.self, "\(write.name)") { try await write.call(store) }
            #expect(error?.code == .lostLead, "\(write.name): \(String(describing: error))")
        }
        let error = await #expect(throws: FarmError.self) { try await store.confirmLead() }
        #expect(error?.code == .lostLead)
        #expect(try await scene.rows() == before)
        // It may still read.
        #expect(try await store.inFlight().map(\.id) == [scene.running.identity])
        await scene.farm.pool.close()
    }

    @Test("Every write of a leader that leads, and of everybody else, is carried out")
    func allowed() async throws {
        // The same calls, so that the refusals above are those of the lead.
        for isLeading in [true, false] {
            let scene = try await Scene()
            let term = try await scene.farm.take()
            let store = isLeading ? scene.farm.store.leading(term) : scene.farm.store
            let before = try await scene.rows()
            for write in scene.writes {
                do {
                    try await write.call(store)
                } catch {
                    Issue.record("\(write.name): \(error)")
                }
            }
            #expect(try await scene.rows() != before)
            await scene.farm.pool.close()
        }
    }

    @Test("The lead is taken only after the transactions that hold it, and a transaction after that is refused")
    func order() async throws {
        let scene = try await Scene()
        let term = try await scene.farm.take()
        let holding = try await PostgresConnection.connect(scene.farm.configuration)
        try await holding.executeScript("BEGIN; SELECT require_lead(\(term.epoch))")
        let hurried = try await PostgresConnection.connect(scene.farm.configuration)
        try await hurried.execute("SET lock_timeout = 50")
        let error = await #expect(throws: PostgresError.self) { try await hurried.execute("UPDATE lead SET epoch = epoch + 1") }
        #expect(error?.code == .lockUnavailable)
        // A renewal does not wait.
        #expect(try await hurried.execute("UPDATE lead SET renewed_at = clock_timestamp()") == 1)
        try await holding.execute("COMMIT")
        #expect(try await hurried.execute("UPDATE lead SET epoch = epoch + 1") == 1)
        let refusal = await #expect(throws: PostgresError.self) {
            try await holding.execute("SELECT require_lead(\(term.epoch))")
        }
        #expect(refusal?.sqlState == "SP001")
        await scene.farm.pool.close()
    }

    @Test("A leader ends by itself when another coordinator leads, and touches the queue no more")
    func leaderEnds() async throws {
        let scene = try await Scene()
        let term = try await scene.farm.take()
        let queue = MemoryJobQueue()
        var logger = Logger(label: "leader")
        logger.logLevel = .critical
        let news = LeaderNews()
        let leader = Leader(
            store: scene.farm.store.leading(term), queue: queue, planner: ExportPlanner(allowedDirectories: ["/media"]),
            news: news, logger: logger, term: term)
        // It compiles what was submitted, so it leads.
        let leading = Task { await leader.run() }
        try await scene.farm.eventually { try await scene.farm.store.export(scene.submitted, tenant: nil)?.state != .submitted }
        _ = try await scene.farm.take(as: "next")
        news.wake()
        await leading.value
        // Another one that begins although its lead is lost does not even prepare the queue.
        let unused = MemoryJobQueue()
        await Leader(
            store: scene.farm.store.leading(term), queue: unused, planner: ExportPlanner(allowedDirectories: ["/media"]),
            news: LeaderNews(), logger: logger, term: term
        ).run()
        #expect(await unused.prepare(pools: ["default"]), "nobody has prepared it")
        await scene.farm.pool.close()
    }

    @Test("Where the queue knows a job that the database has never made, numbers go on far behind it, and only once")
    func restoredDatabase() async throws {
        let scene = try await Scene()
        let store = StoreFixture(store: scene.farm.store, tenant: scene.tenant)
        let queue = MemoryJobQueue()
        var ticket = scene.running
        ticket.job += 500
        await queue.send([ticket])
        var logger = Logger(label: "leader")
        logger.logLevel = .critical
        func lead() async throws -> [Int64] {
            let term = try await scene.farm.take()
            let leader = Leader(
                store: scene.farm.store.leading(term), queue: queue, planner: ExportPlanner(allowedDirectories: ["/media"]),
                news: LeaderNews(), logger: logger, term: term)
            let leading = Task { await leader.run() }
            let export = try await store.submit().id
            try await scene.farm.eventually { try await scene.farm.store.export(export, tenant: nil)?.state != .submitted }
            let new = try await store.probing(["sea.mp4"])
            leading.cancel()
            await leading.value
            return try await scene.farm.store.jobs(JobFilter(export: new)).map(\.id)
        }
        let first = try await lead()
        #expect(first.count == 1 && first.allSatisfy { $0 > 1_000_000_000 && $0 < 1_000_001_000 }, "\(first)")
        let second = try await lead()
        #expect(second.count == 1 && second.allSatisfy { $0 > 1_000_000_000 && $0 < 1_000_001_000 }, "\(second)")
        await scene.farm.pool.close()
    }

    @Test("What a leader writes has the time of the database's clock, and not of its own machine")
    func clock() async throws {
        let scene = try await Scene()
        let epoch = try await scene.farm.take().epoch
        // As if the clock of the leader's machine were years late.
        let databaseTime = Date() + 1_000_000_000
        let store = scene.farm.store.leading(LeadTerm(epoch: epoch, databaseTime: databaseTime))
        _ = try await store.fail(scene.rendering, ExportFailure(.crash, message: "ended"))
        let finished = try #require(try await store.export(scene.rendering, tenant: nil)?.finishedAt)
        // The database keeps microseconds.
        #expect(finished.timeIntervalSince(databaseTime) > -0.001)
        await scene.farm.pool.close()
    }
}
