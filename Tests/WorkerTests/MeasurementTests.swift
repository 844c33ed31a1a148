import ExportPlan
import FarmAPI
import JobQueue
import RenderingProcesses
import TestSupport
import Testing
import FoundationEssentials

@Suite("A worker's measurements")
struct MeasurementTests {
    @Test("A report says how long the job held its slot, and the status on which machine", .timeLimit(.minutes(2)))
    func measured() async throws {
        let farm = try await WorkerFixture()
        try await farm.working {
            let ticket = try farm.ticket(1, "good")
            try await farm.queue.send([ticket])
            let end = try #require(try await farm.ends(1).first)
            let measured = try #require(end.measured)
            #expect(measured.features == JobFeatures(ticket.work))
            #expect(measured.seconds > 0 && measured.seconds < 120)
            let status = try await farm.status { $0.pausedFor == nil }
            #expect(status.machine == MachineClass.ofThisMachine)
        }
    }

    @Test("A job that was not rendered, or that failed, is not measured", .timeLimit(.minutes(2)))
    func notMeasured() async throws {
        let farm = try await WorkerFixture()
        try await farm.working {
            var there = try farm.ticket(1, "good")
            there.kind = .video
            _ = try farm.store(Data([1, 2, 3]), as: there.key)
            try await farm.queue.send([there, try farm.ticket(2, MisbehavingRenderer.Misbehavior.allCases[0].rawValue)])
            let ends = try await farm.ends(2)
            #expect(ends.map(\.end) == ["finished", "crash"])
            #expect(ends.allSatisfy { $0.measured == nil })
        }
    }
}
