import ArgumentParser
import CommandLineInterface
import ExportPlan
import RenderingProcesses
import FoundationEssentials

/// `spool preview`: plays a draft in a browser while it is edited.
struct PreviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview", abstract: "Play a draft in a browser while it is edited.",
        discussion: """
            Prints the address of a page that plays the draft at a small size. What is played is rendered ahead of the playhead, \
            and kept in the cache. A change of the draft, or of a file that it names, is on the page at once, and only what has \
            changed is rendered. Ctrl-C ends it.

              spool preview draft.json
              ssh -L 7790:127.0.0.1:7790 host spool preview draft.json --port 7790
            """)

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var cacheLimit: CacheLimit

    @Option(help: "The port of the page. Default: a free one.")
    var port = 0

    @Option(help: ArgumentHelp("The address that the page listens at.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: "The height of the pictures. Default: as large as this machine renders while the film plays.")
    var height: Int?

    @Flag(help: "Open the page in the browser of this machine.")
    var open = false

    func validate() throws {
        if draft.draft == "-" { throw ValidationError("spool preview looks at the draft's file; name it instead of -") }
        guard draft.export.settings.isEmpty, draft.export.preset == nil, draft.export.settingsFile == nil else {
            throw ValidationError("a preview has the same settings for all films; leave --set, --settings and --preset out")
        }
        if draft.strict { throw ValidationError("the page of the preview shows warnings; leave --strict out") }
        if !(0...65_535).contains(port) { throw ValidationError("--port must be 0...65535, not \(port)") }
        if let height, !(ProxySize.heights.lowerBound...ProxySize.heights.upperBound).contains(height) {
            throw ValidationError(
                "--height must be \(ProxySize.heights.lowerBound)...\(ProxySize.heights.upperBound), not \(height)")
        }
    }

    func run() async throws {
        try await Interruption.run {
            let limit = try cacheLimit.bytes()
            // The draft's faults of the command line are told at once; faults of the draft itself are shown on the page.
            _ = try (draft.export.parameterValues(), draft.remote.policy())
            let directory = try await PreviewDirectory(in: work.openCache(limit: limit))
            let server = PreviewServerProcess(
                program: try ProgramFiles.coordinator(), directory: directory, host: host, port: port)
            let source = PreviewSource(draft, work, height: height, cacheLimit: limit)
            let name = draft.draft.split(separator: "/").last.map(String.init) ?? draft.draft
            let session = PreviewSession(directory, draft: name, memory: MachineResources().memoryForExport) { server.send($0) }
            do {
                try await run(session, source, server)
            } catch {
                await session.close()
                // The cache is reduced although the preview was stopped, and its task with it.
                await Task.detached { directory.remove() }.value
                throw error
            }
        }
    }

    /// Runs the parts of the preview until one of them fails, or the task is cancelled.
    private func run(_ session: PreviewSession, _ source: PreviewSource, _ server: PreviewServerProcess) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await server.run(hears: session) { address in
                    Terminal.print("the preview is at \(address)")
                    if open { try? server.openBrowser(address) }  // the address is printed
                }
            }
            group.addTask { try await source.follow(session) }
            for slot in 0..<work.slots {
                group.addTask { try await Renderer.process().serve(session, startsEarly: slot < 2) }
            }
            defer { group.cancelAll() }
            // The first that ends has failed, or all are stopped: each runs until then.
            try await group.next()
            throw CancellationError()
        }
    }
}
