import Coordinator
import ExportPlan
import FarmAPI
import TestSupport
import Testing
import FoundationEssentials

/// A leading coordinator that is stopped, as a debugger, a frozen container or an overloaded host stop a process: its
/// connections stay open.
@Suite(.serialized) struct StoppedLeaderTests {
    @Test(
        "When the leading coordinator is stopped another one leads, and the first changes nothing when it goes on",
        .timeLimit(.minutes(5)))
    func stopped() async throws {
        let drafts = try await SampleDrafts()
        let films = [try await drafts.exportLocally(0), try await drafts.exportLocally(1)]
        try await TestFarm.with(workers: 1) { farm in
            try await farm.untilLogged("leading in epoch", by: "coordinator0")
            try await farm.startCoordinator(1)
            let first = try await farm.submit([drafts.file(0)])[0]
            try await farm.eventually { try await farm.rendersSegment() }
            try await farm.signal("STOP", "coordinator0")
            do {
                let submitted = try await farm.spool(["submit", drafts.file(1)], coordinator: 1)
                try #require(submitted.status == 0, "\(submitted.errors)")
                let second = try #require(submitted.output.split(separator: "\n").first.map(String.init))
                try await farm.watch([first, second], coordinator: 1)
                #expect(try await farm.film(first, coordinator: 1) == films[0])
                #expect(try await farm.film(second, coordinator: 1) == films[1])
                #expect(try farm.log(of: "coordinator1").contains("leading in epoch"))
                let before = try await farm.everything([first, second])
                try await farm.signal("CONT", "coordinator0")
                try await farm.untilLogged("lost the lead\\|another coordinator leads now", by: "coordinator0")
                #expect(try await farm.everything([first, second]) == before)
                // It goes on serving the API, while the other one leads.
                let third = try await farm.submit([drafts.file(0)], ["--set", "videoQuality=30"])[0]
                try await farm.watch([third])
                let taken = try farm.log(of: "coordinator0").split(separator: "\n").filter { $0.contains("leading in epoch") }
                #expect(taken.count == 1, "\(taken)")
            } catch {
                // A process that is stopped would not end. The time limit may have cancelled this task, hence another one.
                _ = await Task { try? await farm.signal("CONT", "coordinator0") }.value
                throw error
            }
        }
    }

    @Test("When the leading coordinator is ended another one leads at once", .timeLimit(.minutes(5)))
    func handedOver() async throws {
        let drafts = try await SampleDrafts()
        try await TestFarm.with(workers: 1) { farm in
            try await farm.untilLogged("leading in epoch", by: "coordinator0")
            try await farm.startCoordinator(1)
            await farm.stop("coordinator0")
            try await farm.untilLogged("leading in epoch", by: "coordinator1")
            let submitted = try await farm.spool(["submit", drafts.file(1)], coordinator: 1)
            let id = try #require(submitted.output.split(separator: "\n").first.map(String.init), "\(submitted.errors)")
            try await farm.watch([id], coordinator: 1)
            // The lead went from hand to hand: its epoch was raised by each taking and by each giving back.
            #expect(try farm.log(of: "coordinator1").contains("leading in epoch 3"))
        }
    }
}

extension TestFarm {
    /// All that is known of exports, their jobs, attempts and events, as text.
    fileprivate nonisolated func everything(_ ids: [String]) async throws -> [String] {
        var lines: [String] = []
        for id in ids {
            let export = try await export(id)
            lines.append("\(export)")
            for event in try await store.events(of: export.id, after: 0, limit: 10_000) { lines.append("\(event)") }
            for job in try await store.jobs(JobFilter(export: export.id, limit: 10_000)) {
                lines.append("\(job) \(try await store.job(job.id, tenant: nil)?.attempts ?? [])")
            }
        }
        return lines
    }
}
