import FarmAPI
import ContentHashing
import Coordinator
import ExactTime
import ExportPlan
import JobQueue
import Logging
import FoundationEssentials

extension Farm {
    /// Runs `body` while a leader leads the farm and a worker reports every job as done at once without rendering.
    func led(_ body: () async throws -> Void) async throws {
        var logger = Logger(label: "leader")
        logger.logLevel = .critical
        let leader = Leader(
            store: store, queue: queue, planner: ExportPlanner(allowedDirectories: ["/media"]), news: LeaderNews(signal: signal),
            logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await leader.run() }
            group.addTask { try await self.work() }
            defer { group.cancelAll() }
            try await body()
        }
    }

    private func work() async throws {
        let roles = WorkerRole.allCases
        let status = WorkerStatus(
            id: "w1", host: "here", version: "1", roles: roles, pools: ["default"], slots: 32, startedAt: Date(), seenAt: Date(),
            isDraining: false, running: [])
        while !Task.isCancelled {
            _ = try await queue.heartbeat(status, lifetime: .seconds(60))
            let deliveries = try? await queue.take(  // ends when the test does
                roles: roles, pools: ["default"], worker: "w1", limit: 32, wait: .milliseconds(200))
            for delivery in deliveries ?? [] {
                var result = JobResult()
                if case .probe(let location, _) = delivery.ticket.work { result.facts = Farm.picture(location) }
                let outcome = JobReport.Outcome.finished(result: result, reused: false)
                try await queue.report(JobReport(delivery.ticket.identity, worker: "w1", outcome), finishing: delivery)
            }
        }
    }

    /// The source facts of an image.
    private static func picture(_ location: String) -> SourceFacts {
        SourceFacts(
            contentHash: AssetLocation.hash(of: location) ?? ContentHash.of(location.utf8), byteCount: 1000,
            container: "png_pipe", origin: .zero,
            video: VideoFacts(
                streamIndex: 0, codec: "png", size: FrameSize(width: 64, height: 64), orientation: .upright,
                sampleAspectRatio: .one, pixelFormat: "rgb24", hasAlpha: false, color: .bt709, timeBase: Rational(1, 25),
                frameRate: FrameRate(25), isVariableFrameRate: false, frameCount: 1, duration: MediaTime(Rational(1, 25)),
                keyframes: [.zero], isStill: true),
            audio: nil)
    }
}
