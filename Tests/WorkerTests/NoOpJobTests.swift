import ArtifactStore
import ContentHashing
import ExportPlan
import FarmAPI
import JobQueue
import TestSupport
import Testing
import FoundationEssentials

@Suite("A worker that gets a no-op job")
struct NoOpJobTests {
    private func ticket(_ job: Int64, _ work: RenderJob) -> JobTicket {
        JobTicket(
            job: job, attempt: 1, kind: .video, tenant: WorkerFixture.tenant, pool: "default",
            key: ArtifactKey(ContentHash.of("\(job)".utf8)), frameCount: 1, work: work)
    }

    @Test("ends it with a success, without a rendering process and without an artifact", .timeLimit(.minutes(2)))
    func success() async throws {
        let farm = try await WorkerFixture()
        try await farm.working {
            try await farm.queue.send([ticket(1, .noOp), ticket(2, .noOp)])
            let ends = try await farm.ends(2)
            #expect(ends.map(\.id.job) == [1, 2])
            #expect(ends.allSatisfy { $0.outcome == .finished(result: JobResult(), reused: false) })
        }
        #expect(!farm.hasRendered)
        let artifacts = FarmDirectory(farm.directory.file("store")).artifacts(ofTenant: WorkerFixture.tenant)
        #expect(!FileManager.default.fileExists(atPath: artifacts))
    }

    @Test("requires the artifact of the next job as before", .timeLimit(.minutes(2)))
    func otherJobs() async throws {
        let farm = try await WorkerFixture()
        try await farm.working {
            var probe = try farm.ticket(2, "good")
            probe.kind = .video
            try await farm.queue.send([ticket(1, .noOp), probe])
            let ends = try await farm.ends(2)
            #expect(ends.map(\.end) == ["finished", "crash"])
            #expect(ends[1].failure?.message == "the rendering process reported an artifact that the store does not have")
        }
        #expect(farm.hasRendered)
    }
}
