import ExportPlan
import RenderingProcesses
import TestSupport
import Testing

@Suite("A rendering process that breaks the protocol")
struct ProtocolViolationTests {
    @Test(
        "A protocol breach costs only one attempt", .timeLimit(.minutes(2)), arguments: MisbehavingRenderer.Misbehavior.allCases)
    func lie(_ lie: MisbehavingRenderer.Misbehavior) async throws {
        let outcomes = try await serve(["/good", "/\(lie.rawValue)", "/other", "/third"])
        #expect(outcomes["/good"] == "finished")
        let death = try #require(outcomes["/\(lie.rawValue)"])
        #expect(death.hasPrefix("died: "), "\(death)")
        #expect(outcomes["/other"] == "finished")
        #expect(outcomes["/third"] == "finished")
        switch lie {
        case .wrongOrder:
            #expect(death.hasPrefix(#"died: it answered an order that it was not given: '{"order":77,"#), "\(death)")
        case .halfLine: #expect(death.contains(#"it ended in the middle of a line: '{"order":1,"mess'"#), "\(death)")
        default: break
        }
        print("\(lie.rawValue): \(death)")
    }

    @Test("An error quotes the process's output, cut and without escape sequences", .timeLimit(.minutes(2)))
    func quoted() async throws {
        let outcomes = try await serve(["/noMessage", "/endlessLine"])
        #expect(outcomes["/noMessage"] == #"died: it wrote a line that is not a message: 'thirty \u{1B}[31mbottles'"#)
        let endless = try #require(outcomes["/endlessLine"])
        #expect(endless.hasPrefix("died: it wrote a line of more than 1048576 bytes: 'xxx"), "\(endless)")
        #expect(endless.count < 300)
    }

    @Test(
        "Late output does not harm the next job", .timeLimit(.minutes(2)), arguments: MisbehavingRenderer.LateMisbehavior.allCases
    )
    func late(_ lie: MisbehavingRenderer.LateMisbehavior) async throws {
        let outcomes = try await serve(["/\(lie.rawValue)", "/good", "/other"])
        #expect(outcomes == ["/\(lie.rawValue)": "finished", "/good": "finished", "/other": "finished"])
    }

    @Test("A process that the system ended for its processor time is not a crash", .timeLimit(.minutes(2)))
    func outOfTime() async throws {
        let outcomes = try await serve(["/outOfTime", "/good"])
        #expect(outcomes == ["/outOfTime": "died: resource: it used up the processor time of one job", "/good": "finished"])
    }

    @Test("A missing program is an environment failure", .timeLimit(.minutes(2)))
    func noProgram() async throws {
        let process = RenderingProcess(executable: "/nowhere/spool-render", arguments: [])
        let feed = ListFeed(["/good"])
        try await process.serve(feed)
        #expect(await feed.outcomes["/good"]?.hasPrefix("died: environment: ") == true)
    }

    @Test("A silent process ends when its slot is stopped", .timeLimit(.minutes(2)))
    func silence() async throws {
        let outcomes = try await serve(
            ["/\(MisbehavingRenderer.silence)", "/good"], stopping: ["/\(MisbehavingRenderer.silence)"])
        #expect(outcomes["/\(MisbehavingRenderer.silence)"]?.hasPrefix("died: ") == true)
        #expect(outcomes["/good"] == "finished")
    }

    /// Serves probes of these paths in one slot.
    /// - Returns: how each probe ended.
    private func serve(_ paths: [String], stopping: Set<String> = []) async throws -> [String: String] {
        let directory = try TemporaryDirectory()
        let renderer = try MisbehavingRenderer(in: directory)
        let process = RenderingProcess(
            executable: renderer.executable, arguments: [], timeout: .milliseconds(200), lineLimit: 1 << 20)
        let feed = ListFeed(paths, stopping: stopping)
        try await process.serve(feed)
        return await feed.outcomes
    }
}
