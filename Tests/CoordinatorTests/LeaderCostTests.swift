import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Logging
import Testing
import FoundationEssentials

/// What a leader learns of the times that jobs take, with a store and a queue in memory.
@Suite("The leader's cost model")
struct LeaderCostTests {
    private struct Scene {
        let store: any FarmStore = MemoryFarmStore()
        let queue = MemoryJobQueue()
        let farm: StoreFixture

        init() async throws {
            farm = StoreFixture(store: store, tenant: try await store.createTenant("studio", weight: 1).id)
        }

        func leader() -> Leader {
            var logger = Logger(label: "leader")
            logger.logLevel = .critical
            return Leader(
                store: store, queue: queue, planner: ExportPlanner(allowedDirectories: ["/media"]), news: LeaderNews(),
                logger: logger)
        }

        func worker(_ machine: String?) -> WorkerStatus {
            WorkerStatus(
                id: "w1", host: "here", version: "1", roles: WorkerRole.allCases, pools: ["default"], slots: 4, startedAt: Date(),
                seenAt: Date(), isDraining: false, running: [], machine: machine)
        }

        /// Reports jobs as done after three times the built-in prediction.
        func finish(_ tickets: [JobTicket], reused: Bool = false) async throws {
            for ticket in tickets {
                let features = try #require(JobFeatures(ticket.work))
                let measured = JobMeasurement(features, seconds: CostTable.builtIn.seconds(of: features) * 3)
                await queue.report(
                    JobReport(
                        ticket.identity, worker: "w1", .finished(result: JobResult(), reused: reused), measured: measured),
                    finishing: nil)
            }
        }
    }

    @Test("Learns from reports, stores what it learned, and the next leader goes on with it")
    func learns() async throws {
        let scene = try await Scene()
        let leader = scene.leader()
        leader.noteMachines(of: [scene.worker("this machine")])
        _ = try await scene.farm.rendering(SampleFilm(pictures: ["sea", "hills"], sounds: ["waves"]))
        try await scene.finish(try await scene.farm.dispatchAll())
        _ = try await leader.applyReports(wait: .zero)
        #expect(try await scene.store.costModels().isEmpty, "a report costs no write more")
        try await leader.saveCosts()
        let stored = try await scene.store.costModels()
        #expect(stored.map(\.costClass.name) == ["audio", "video h264"] && stored.map(\.fit.jobs) == [1, 2])
        #expect(stored.allSatisfy { $0.machine == "this machine" && $0.fit.meanRatio > 2 })

        let next = scene.leader()
        try await next.loadCosts()
        next.noteMachines(of: [scene.worker("this machine")])
        let soundtrack = try await scene.farm.dispatchAll()
        #expect(soundtrack.map(\.kind) == [.soundtrack])
        try await scene.finish(soundtrack)
        _ = try await next.applyReports(wait: .zero)
        _ = try await scene.farm.rendering(SampleFilm(pictures: ["dunes"], sounds: []))
        try await scene.finish(try await scene.farm.dispatchAll().filter { $0.kind == .video })
        _ = try await next.applyReports(wait: .zero)
        try await next.saveCosts()
        let jobs = try await scene.store.costModels().map { "\($0.costClass.name) \($0.fit.jobs)" }
        #expect(jobs == ["audio 1", "soundtrack 1", "video h264 3"])
    }

    @Test("Learns nothing from artifacts that were there, from no-op jobs and from workers of an earlier version")
    func learnsNothing() async throws {
        let scene = try await Scene()
        let leader = scene.leader()
        _ = try await scene.farm.rendering(SampleFilm(pictures: ["sea", "hills"], sounds: ["waves"]))
        let tickets = try await scene.farm.dispatchAll()
        try #require(tickets.count == 3)
        try await scene.finish([tickets[0]], reused: true)
        for ticket in tickets.dropFirst() {
            await scene.queue.report(
                JobReport(ticket.identity, worker: "w1", .finished(result: JobResult(), reused: false)), finishing: nil)
        }
        _ = try await leader.applyReports(wait: .zero)
        try await leader.saveCosts()
        #expect(try await scene.store.costModels().isEmpty)
    }

    @Test("New exports are predicted with what was learned of the workers' machines, and nothing else about them changes")
    func predicts() async throws {
        let scene = try await Scene()
        try await scene.store.saveCostModels([.sample("slow", ratio: 5), .sample("fast", ratio: 0.5)], forgetting: [])
        let leader = scene.leader()
        try await leader.loadCosts()
        _ = await scene.queue.heartbeat(scene.worker("slow"), lifetime: .seconds(600))
        leader.noteMachines(of: [scene.worker("slow")])
        let document = LeaderFixture.draft(clips: 1)
        let id = try await scene.farm.submit(document: document).id
        let running = Task { await leader.run() }  // ended below
        let deadline = ContinuousClock.now + .seconds(60)
        while try await scene.farm.jobs(id).isEmpty, ContinuousClock.now < deadline {
            _ = await WakeSignal().wait(atMost: .milliseconds(5))
        }
        running.cancel()
        await running.value
        let probe = try await scene.farm.job(id, .probe)
        let predicted = try #require(probe.predicted)
        #expect(predicted > 0.9 && predicted < 1.01, "\(predicted) s, of which the built-in prediction is 0.2 s")
        let planner = ExportPlanner(allowedDirectories: ["/media"])
        let source = try #require(try await scene.store.source(of: id))
        #expect(try planner.probes(of: source).map(\.job.key) == [probe.key])
    }

    @Test("A plan has the same jobs whatever they are predicted with, except for their weights")
    func sameJobs() throws {
        let planner = ExportPlanner(allowedDirectories: ["/media"])
        let source = ExportSource(
            id: ExportID(), tenant: 1, pool: "default", priority: 0, document: LeaderFixture.draft(clips: 3), parameters: [:],
            settings: [:])
        let results = ["/media/card.png": ProbeResult.facts(.picture("/media/card.png"))]
        let plan = try planner.plan(source, probeResults: results)
        var model = CostModel()
        for job in plan.jobs {
            for _ in 0..<20 { model.learn(try #require(JobMeasurement(job.work, seconds: job.weight * 4))) }
        }
        var other = try planner.plan(source, probeResults: results, predictedBy: model.table)
        #expect(other != plan && other.jobs.count == plan.jobs.count)
        for place in other.jobs.indices {
            #expect(other.jobs[place].weight > plan.jobs[place].weight * 2)
            other.jobs[place].weight = plan.jobs[place].weight
        }
        #expect(other == plan)
    }
}
