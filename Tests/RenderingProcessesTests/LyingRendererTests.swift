import ExportPlan
import RenderMessages
import RenderingProcesses
import TestSupport
import Testing

@Suite("A rendering process that does not keep to its messages")
struct LyingRendererTests {
    @Test(
        "costs one attempt and no slot, whatever it says or does", .timeLimit(.minutes(2)), arguments: LyingRenderer.Lie.allCases)
    func lie(_ lie: LyingRenderer.Lie) async throws {
        let outcomes = try await serve(["/good", "/\(lie.rawValue)", "/other", "/third"])
        #expect(outcomes["/good"] == "finished")
        let death = try #require(outcomes["/\(lie.rawValue)"])
        #expect(death.hasPrefix("died: "), "\(death)")
        #expect(outcomes["/other"] == "finished")
        #expect(outcomes["/third"] == "finished")
        print("\(lie.rawValue): \(death)")
    }

    @Test("What it said is quoted, cut and without escape sequences", .timeLimit(.minutes(2)))
    func quoted() async throws {
        let outcomes = try await serve(["/noMessage", "/endlessLine"])
        #expect(outcomes["/noMessage"] == #"died: it wrote a line that is no message: 'thirty \u{1B}[31mbottles'"#)
        let endless = try #require(outcomes["/endlessLine"])
        #expect(endless.hasPrefix("died: it wrote a line of more than 1048576 bytes: 'xxx"), "\(endless)")
        #expect(endless.count < 300)
    }

    @Test("and lies behind a job does not spoil the next one", .timeLimit(.minutes(2)), arguments: LyingRenderer.LateLie.allCases)
    func late(_ lie: LyingRenderer.LateLie) async throws {
        let outcomes = try await serve(["/\(lie.rawValue)", "/good", "/other"])
        #expect(outcomes == ["/\(lie.rawValue)": "finished", "/good": "finished", "/other": "finished"])
    }

    @Test("and says nothing ends when its slot is stopped", .timeLimit(.minutes(2)))
    func silence() async throws {
        let outcomes = try await serve(["/\(LyingRenderer.silence)", "/good"], stopping: ["/\(LyingRenderer.silence)"])
        #expect(outcomes["/\(LyingRenderer.silence)"]?.hasPrefix("died: ") == true)
        #expect(outcomes["/good"] == "finished")
    }

    /// Serves probes of these paths in one slot.
    /// - Returns: how each ended.
    private func serve(_ paths: [String], stopping: Set<String> = []) async throws -> [String: String] {
        let directory = try TemporaryDirectory()
        let renderer = try LyingRenderer(in: directory)
        let process = RenderingProcess(
            executable: renderer.executable, arguments: [], patience: .milliseconds(200), lineLimit: 1 << 20)
        let feed = ListFeed(paths, stopping: stopping)
        try await process.serve(feed)
        return await feed.outcomes
    }
}

/// Hands out probes of paths, one after the other, and writes down how each ended.
private actor ListFeed: JobFeed {
    private var paths: [String]
    private let stopping: Set<String>
    private(set) var outcomes: [String: String] = [:]

    init(_ paths: [String], stopping: Set<String>) {
        self.paths = paths
        self.stopping = stopping
    }

    func next() -> Assignment<String>? {
        guard !paths.isEmpty else { return nil }
        let path = paths.removeFirst()
        return Assignment(path, RenderOrder(.probe(path: path), store: "/nowhere"))
    }

    func started(_ path: String, stop: @escaping @Sendable () -> Void) {
        if stopping.contains(path) { stop() }
    }

    func progress(_ path: String, done: Int) {}

    func ended(_ path: String, _ outcome: JobOutcome, log: String) {
        switch outcome {
        case .finished: outcomes[path] = "finished"
        case .failed(let failure): outcomes[path] = "failed: \(failure)"
        case .died(let reason): outcomes[path] = "died: \(reason)"
        }
    }
}
