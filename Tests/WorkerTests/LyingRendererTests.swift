import ExportPlan
import JobQueue
import TestSupport
import Testing

@Suite("A worker whose renderer lies")
struct LyingRendererTests {
    @Test("has its slot back for the next job", .timeLimit(.minutes(2)), arguments: LyingRenderer.Lie.allCases)
    func lie(_ lie: LyingRenderer.Lie) async throws {
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

    @Test("does not pass on facts that no file can have", .timeLimit(.minutes(2)), arguments: LyingRenderer.FalseResult.allCases)
    func falseResult(_ result: LyingRenderer.FalseResult) async throws {
        let farm = try await WorkerFixture()
        try await farm.working {
            try await farm.queue.send([farm.ticket(1, result.rawValue), farm.ticket(2, "good")])
            let ends = try await farm.ends(2)
            #expect(ends.map(\.end) == ["crash", "finished"])
            #expect(ends[0].failure?.message.contains("found") == true)
        }
    }

    @Test("does not pass on a film, a segment or a sound that its store has not", .timeLimit(.minutes(2)))
    func missingArtifact() async throws {
        let farm = try await WorkerFixture()
        try await farm.working {
            var ticket = try farm.ticket(1, "good")
            ticket.kind = .video
            try await farm.queue.send([ticket])
            let ends = try await farm.ends(1)
            #expect(ends.map(\.end) == ["crash"])
            #expect(ends[0].failure?.message == "the rendering process says that it has made what the store has not")
        }
    }

    @Test("has its slot back when a job is silent for too long", .timeLimit(.minutes(2)))
    func silence() async throws {
        let farm = try await WorkerFixture(patience: .seconds(2))
        try await farm.working {
            try await farm.queue.send([farm.ticket(1, LyingRenderer.silence), farm.ticket(2, "good")])
            let ends = try await farm.ends(2)
            #expect(ends.map(\.end) == ["crash", "finished"])
            #expect(ends[0].failure?.message.hasPrefix("hung: no progress") == true)
        }
    }
}
