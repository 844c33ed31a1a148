import RenderMessages
import Subprocess
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How the program is started that runs a `ChildLoop`, and how a slot is served by it: a process takes job after job, and
/// another one follows when it dies.
///
/// Nothing that the process says or does costs the slot: what it writes is not believed before it was understood, it is
/// killed where it does not keep to the messages (`Conversation`), and its job has then died with it.
public struct RenderingProcess: Sendable {
    private let executable: String
    private let arguments: [String]
    private let patience: Duration
    private let lineLimit: Int

    /// - Parameters:
    ///   - executable: the program, and `arguments` the words that make it run a `ChildLoop`.
    ///   - patience: how long it is waited for where it owes something that takes no time: the end of its log, its own end.
    ///   - lineLimit: bytes of the longest message. A probe's answer names every keyframe of its source: 2.7 MB for an hour in
    ///     which every picture is one.
    public init(
        executable: String, arguments: [String], patience: Duration = .seconds(5), lineLimit: Int = 64 << 20
    ) {
        self.executable = executable
        self.arguments = arguments
        self.patience = patience
        self.lineLimit = lineLimit
    }

    /// Serves a feed with one process at a time until the feed is over. Cancelling the task kills the process.
    /// - Throws: what the feed's `ended` throws, or `CancellationError`.
    public func serve<Feed: JobFeed>(_ feed: Feed) async throws {
        BrokenPipe.isNoSignal()
        var next = await feed.next()
        while let first = next {
            try Task.checkCancellation()
            let untouched = try await run(first, feed)
            // A job that could not be handed over goes to another process.
            if let untouched { next = untouched } else { next = await feed.next() }
        }
    }

    /// Serves a feed with one process for as long as that lives and behaves.
    /// - Returns: a job that it was not given.
    private func run<Feed: JobFeed>(
        _ first: Assignment<Feed.Ticket>, _ feed: Feed
    ) async throws -> Assignment<Feed.Ticket>? {
        let current = CurrentAssignment(first)
        let log = ProcessLog()
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = []
        let death: String
        do {
            let outcome = try await Subprocess.run(
                .path(FilePath(executable)), arguments: Arguments(arguments), environment: RenderingProcess.environment,
                platformOptions: options, input: .inputWriter, output: .sequence, error: .sequence
            ) { execution in
                let process = StartedProcess(execution.processIdentifier.value) {
                    try? execution.send(signal: .kill, toProcessGroup: true)  // already gone: what was wanted
                }
                await current.note(process)
                let output = ProcessOutput(limit: lineLimit)
                async let logging: Void = log.listen(to: execution.standardError)
                async let listening: Void = output.listen(to: execution.standardOutput)
                let conversation = Conversation(
                    feed: feed, current: current, output: output, log: log, patience: patience, stop: process.kill,
                    send: { _ = try await execution.standardInputWriter.write($0) })
                let end: ConversationEnd
                do {
                    end = try await conversation.hold()
                } catch {
                    process.kill()  // or its log would not end
                    await output.ignoreRest()
                    throw error
                }
                await output.ignoreRest()
                if case .over = end { try? await execution.standardInputWriter.finish() }  // gone already: the same end
                let fault = await process.bringToEnd(end, within: patience)
                await listening
                await logging
                return fault
            }
            if outcome.closureResult == nil, outcome.terminationStatus.isSuccess, await current.hasLeftInPeace {
                await current.giveBack()
            }
            death = outcome.closureResult ?? "\(outcome.terminationStatus)"
        } catch {
            // A process that was killed may take its time to be gone, and what it leaves can be cleared only then.
            await current.process?.isGone(within: patience)
            guard error is SubprocessError else { throw error }
            try Task.checkCancellation()
            death = "\(error)"
        }
        guard let left = await current.assignment else { return nil }
        guard await !current.isUntouched else { return left }
        try await feed.ended(left.ticket, .died(death), log: await log.take(atMost: .zero).text)
        return nil
    }

    /// What a rendering process inherits: where programs, fonts and plug-ins are and how memory is checked, but no credentials.
    private static var environment: Environment {
        let names: Set = ["PATH", "HOME", "LANG", "TMPDIR", "USER", "SPOOL_FONT_PATH", "SPOOL_PLUGIN_PATH", "FREI0R_PATH"]
        let families = ["LC_", "LD_", "XDG_", "MALLOC_", "FONTCONFIG_", "ASAN_"]
        var values = ProcessInfo.processInfo.environment.filter { name, _ in
            names.contains(name) || families.contains { name.hasPrefix($0) }
        }
        values["SWIFT_BACKTRACE"] = "enable=no"
        return .custom(Dictionary(uniqueKeysWithValues: values.map { (Environment.Key(stringLiteral: $0), $1) }))
    }
}
