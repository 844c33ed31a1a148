import FarmAPI
import ExportPlan
import JobQueue
import TestSupport
import Testing

@Suite("A worker whose renderer lies")
struct ProtocolViolationTests {
    @Test("has its slot back for the next job", .timeLimit(.minutes(2)), arguments: MisbehavingRenderer.Misbehavior.allCases)
    func lie(_ lie: MisbehavingRenderer.Misbehavior) async throws {
        let farm = try await WorkerFixture()
        try await farm.working {
            try await farm.queue.send([farm.ticket(1, "good"), farm.ticket(2, lie.rawValue), farm.ticket(3, "other")])
            let ends = try await farm.ends(3)
            #expect(ends.map(\.id.job) == [1, 2, 3])
            #expect(ends.map(\.end) == ["finished", "crash", "finished"])
            #expect(ends[1].failure?.message.hasPrefix("the rendering process died: ") == true)
            _ = try await farm.status { $0.running.isEmpty && $0.pausedFor == nil }
        }
    }

    @Test("does not report impossible facts", .timeLimit(.minutes(2)), arguments: MisbehavingRenderer.InvalidResult.allCases)
    func falseResult(_ result: MisbehavingRenderer.InvalidResult) async throws {
        let farm = try await WorkerFixture()
        try await farm.working {
            try await farm.queue.send([farm.ticket(1, result.rawValue), farm.ticket(2, "good")])
            let ends = try await farm.ends(2)
            #expect(ends.map(\.end) == ["crash", "finished"])
            let message =
                switch result {
                case .noFacts: "the rendering process probed a source and reported no facts"
                case .impossibleFacts: "the rendering process found a size below zero"
                }
            #expect(ends[0].failure?.message == message)
        }
    }

    @Test("does not report another hash for an asset", .timeLimit(.minutes(2)))
    func otherHash() async throws {
        let farm = try await WorkerFixture()
        let asset = try farm.upload("a source")
        try await farm.working {
            var ticket = farm.ticket(1, asset: asset)
            ticket.renderer = MisbehavingRenderer.otherHash
            try await farm.queue.send([ticket])
            let ends = try await farm.ends(1)
            #expect(ends.map(\.end) == ["crash"])
            #expect(ends[0].failure?.subject == "asset:\(asset)")
            #expect(ends[0].failure?.message == "the rendering process found another hash than the asset's")
        }
    }

    @Test("does not report an artifact that its store does not have", .timeLimit(.minutes(2)))
    func missingArtifact() async throws {
        let farm = try await WorkerFixture()
        try await farm.working {
            var ticket = try farm.ticket(1, "good")
            ticket.kind = .video
            try await farm.queue.send([ticket])
            let ends = try await farm.ends(1)
            #expect(ends.map(\.end) == ["crash"])
            #expect(ends[0].failure?.message == "the rendering process reported an artifact that the store does not have")
        }
    }

    @Test("has its slot back when a job is silent for too long", .timeLimit(.minutes(2)))
    func silence() async throws {
        let farm = try await WorkerFixture(progressTimeout: .seconds(2))
        try await farm.working {
            try await farm.queue.send([farm.ticket(1, MisbehavingRenderer.silence), farm.ticket(2, "good")])
            let ends = try await farm.ends(2)
            #expect(ends.map(\.end) == ["crash", "finished"])
            #expect(ends[0].failure?.message.hasPrefix("hung: no progress") == true)
        }
    }
}
