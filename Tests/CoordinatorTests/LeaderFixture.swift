import FarmAPI
import Coordinator
import ExactTime
import ExportPlan
import InMemoryLogging
import JobQueue
import Logging
import Postgres
import TestSupport
import Testing
import FoundationEssentials

/// A leader on a real database with a queue in memory, and workers that render nothing: they report every job as done
/// at once.
struct LeaderFixture: Sendable {
    let pool: PostgresPool
    let store: PostgresFarmStore
    let queue: MemoryJobQueue
    let news = LeaderNews()
    let tenant: Int64
    let other: Int64

    /// What the worker reports for a ticket; nil for a success.
    typealias Answer = @Sendable (JobTicket) -> JobReport.Outcome?

    /// Runs `body` while the leader leads and the workers work.
    /// - Parameters:
    ///   - workers: the number of slots by the worker's name.
    ///   - log: gets the errors that the leader logs.
    static func run(
        workers: [String: Int] = ["w1": 32], log: InMemoryLogHandler = InMemoryLogHandler(),
        answer: @escaping Answer = { _ in nil }, _ body: (LeaderFixture) async throws -> Void
    ) async throws {
        let database = try await MigratedDatabase.make()
        let pool = PostgresPool(PostgresConfiguration(database), limit: 6)
        let store = PostgresFarmStore(pool)
        let farm = LeaderFixture(
            pool: pool, store: store, queue: MemoryJobQueue(), tenant: try await store.createTenant("studio", weight: 1).id,
            other: try await store.createTenant("other", weight: 1).id)
        var logger = Logger(label: "leader") { _ in log }
        logger.logLevel = .error
        let leader = Leader(
            store: store, queue: farm.queue, planner: ExportPlanner(allowedDirectories: ["/media"]), news: farm.news,
            logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await leader.run() }
            for (id, slots) in workers { group.addTask { try await farm.work(as: id, slots: slots, answer) } }
            do {
                try await body(farm)
            } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
        }
        await pool.close()
    }

    /// Runs a worker until the task is cancelled.
    private func work(as id: String, slots: Int, _ answer: Answer) async throws {
        let roles = WorkerRole.allCases
        let status = WorkerStatus(
            id: id, host: "here", version: "1", roles: roles, pools: ["default"], slots: slots, startedAt: Date(), seenAt: Date(),
            isDraining: false, running: [])
        while !Task.isCancelled {
            do {
                _ = await queue.heartbeat(status, lifetime: .seconds(60))
                for delivery in try await queue.take(
                    roles: roles, pools: ["default"], worker: id, limit: slots, wait: .milliseconds(200))
                {
                    let ticket = delivery.ticket
                    await queue.report(JobReport(ticket.identity, worker: id, .started), finishing: nil)
                    await queue.report(
                        JobReport(ticket.identity, worker: id, answer(ticket) ?? done(ticket)), finishing: delivery)
                }
            } catch is CancellationError {
                return
            }
        }
    }

    private func done(_ ticket: JobTicket) -> JobReport.Outcome {
        guard case .probe(let location, _) = ticket.work else { return .finished(result: JobResult(), reused: false) }
        return .finished(result: JobResult(facts: .picture(location)), reused: false)
    }

    /// Submits a draft of still pictures.
    /// - Parameter document: nil for one clip of a second.
    func submit(_ document: String? = nil, tenant: Int64? = nil, settings: [String: String] = [:]) async throws -> ExportID {
        let own = LeaderFixture.draft(clips: 1, name: "\(UInt64.random(in: 0...UInt64.max))")
        let request = ExportRequest(.document(document ?? own), label: "film", settings: settings)
        let id = try await store.submit(request, id: ExportID(), tenant: tenant ?? self.tenant, idempotency: nil).export.id
        news.wake()
        return id
    }

    /// A draft of clips of one image, a second each; no two of them look the same.
    static func draft(clips: Int, name: String = "card", extra: String = "") -> String {
        let list = (0..<clips).map { index in
            #"{"type": "image", "url": "/media/\#(name).png", "duration": 1, "opacity": 0.\#(100_000 + index)}"#
        }
        return #"{"version": 1, "videoSize": {"width": 64, "height": 64}, \#(extra) "mainTrackClips": ["#
            + list.joined(separator: ", ") + "]}"
    }

    /// Waits until all of these exports are over.
    func over(_ ids: [ExportID]) async throws -> [Export] {
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            var exports: [Export] = []
            for id in ids { exports.append(try #require(try await store.export(id, tenant: nil))) }
            if exports.allSatisfy(\.state.isTerminal) { return exports }
            try #require(ContinuousClock.now < deadline, "\(exports.map(\.state)) after two minutes")
            _ = await WakeSignal().wait(atMost: .milliseconds(50))
        }
    }
}

extension SourceFacts {
    /// The source facts of a still picture at this location.
    static func picture(_ location: String) -> SourceFacts {
        SourceFacts(
            contentHash: SourceFacts.sample(location).contentHash, byteCount: 1000, container: "png_pipe", origin: .zero,
            video: VideoFacts(
                streamIndex: 0, codec: "png", size: FrameSize(width: 64, height: 64), orientation: .upright,
                sampleAspectRatio: .one,
                pixelFormat: "rgb24", hasAlpha: false, color: .bt709, timeBase: Rational(1, 25),
                frameRate: FrameRate(25), isVariableFrameRate: false, frameCount: 1, duration: MediaTime(Rational(1, 25)),
                keyframes: [.zero], isStill: true),
            audio: nil)
    }
}
