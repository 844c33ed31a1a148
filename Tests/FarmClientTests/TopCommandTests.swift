import Coordinator
import FarmAPI
import FarmClient
import JobQueue
import TestSupport
import Testing
import FoundationEssentials

@Suite("spool top")
struct TopCommandTests {
    private func top(_ farm: LiveFarm, columns: Int = 120, typed: String) async throws -> PseudoTerminal.Outcome {
        try await PseudoTerminal.run(
            [SpoolTool.executable, "top", "--server", farm.address, "--token", LiveFarm.token], columns: columns, typed: typed)
    }

    private func worker(_ farm: LiveFarm) async throws -> WorkerStatus {
        let now = Date()
        let status = WorkerStatus(
            id: "w1", host: "\u{1B}[2Jhost", version: "1", roles: [.video], pools: ["default"], slots: 2, startedAt: now,
            seenAt: now, isDraining: false, running: [])
        _ = try await farm.queue.heartbeat(status, lifetime: .seconds(60))
        return status
    }

    @Test("It draws the farm on a screen of its own, and gives the terminal back", arguments: [20, 60, 200])
    func draws(_ columns: Int) async throws {
        try await LiveFarm.serve { farm in
            _ = try await worker(farm)
            let outcome = try await top(farm, columns: columns, typed: "\tjsr/w1\n\u{1B}[Aq")
            #expect(outcome.status == 0, "\(outcome.output)")
            // The terminal echoes keys that come before the program reads single ones.
            let drawn = try #require(outcome.output.split(separator: "\u{1B}[?1049h\u{1B}[?25l", maxSplits: 1).last)
            #expect(drawn.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
            #expect(drawn.contains("> queues (3)") && drawn.contains("* video"))
            #expect(!drawn.contains("\u{1B}[2J"))
            let rows = drawn.replacing("\u{1B}[H", with: "\n").split { $0.isNewline }.map { row in
                String(row).replacing(#/\x1B\[[?0-9]*[A-Za-z]/#, with: "")
            }
            #expect(rows.allSatisfy { $0.count < columns }, "\(rows)")
        }
    }

    @Test("Keys pause a queue, and drain a worker once that is confirmed")
    func keys() async throws {
        try await LiveFarm.serve { farm in
            let status = try await worker(farm)
            #expect(try await top(farm, typed: "pq").output.contains("the queue 'video' is paused"))
            #expect(try await farm.store.pausedRoles() == [.video])
            _ = try await top(farm, typed: "pq")
            #expect(try await farm.store.pausedRoles().isEmpty)
            let declined = try await top(farm, typed: "\tdnq")
            #expect(declined.output.contains("drain w1? y/n") && declined.output.contains("nothing was changed"))
            #expect(try await !farm.queue.heartbeat(status, lifetime: .seconds(60)).isToDrain)
            #expect(try await top(farm, typed: "\tdyq").output.contains("w1 is asked to drain"))
            #expect(try await farm.queue.heartbeat(status, lifetime: .seconds(60)).isToDrain)
            _ = try await top(farm, typed: "\tuq")
            #expect(try await farm.queue.heartbeat(status, lifetime: .seconds(60)).isToResume)
        }
    }

    @Test("Without a terminal it names the commands that print once")
    func noTerminal() async throws {
        let outcome = try await SpoolTool.run(["top", "--server", "http://127.0.0.1:1", "--token", "t"])
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("'spool queue ls', 'spool worker ls' and 'spool status' print once"))
    }

    @Test("A farm that does not answer is named before the screen is taken")
    func noFarm() async throws {
        let outcome = try await PseudoTerminal.run(
            [SpoolTool.executable, "top", "--server", "http://127.0.0.1:1", "--token", "t"], columns: 120)
        #expect(outcome.status == 69 && outcome.output.contains("cannot reach the farm"))
        #expect(!outcome.output.contains("\u{1B}["))
    }
}
