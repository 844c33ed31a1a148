import ExportPlan
import ProcessIsolation
import Subprocess
import SystemPackage
import FoundationEssentials

/// Starts the program that runs a `ChildLoop`, and serves a slot with it: a process does one job after another, and a
/// new process follows when it dies.
///
/// No behaviour of the process can block the slot. Its output is validated; if it breaks the protocol (`Conversation`),
/// it is killed, and its job ends with `died`.
package struct RenderingProcess: Sendable {
    private let executable: String
    private let arguments: [String]
    private let groups: RendererGroups?
    private let timeout: Duration
    private let lineLimit: Int

    /// - Parameters:
    ///   - executable: the path of the program.
    ///   - arguments: the arguments that make the program run a `ChildLoop`.
    ///   - groups: makes a control group for each process, which gets its directory as `--control-group`; nil makes none.
    ///   - timeout: how long to wait for things that take no time: the end of the log, and the end of the process.
    ///   - lineLimit: the greatest length of a message in bytes. The result of a probe lists every keyframe of its
    ///     source: 2.7 MB for an hour in which every picture is a keyframe.
    package init(
        executable: String, arguments: [String], groups: RendererGroups? = nil, timeout: Duration = .seconds(5),
        lineLimit: Int = 64 << 20
    ) {
        self.executable = executable
        self.arguments = arguments
        self.groups = groups
        self.timeout = timeout
        self.lineLimit = lineLimit
    }

    /// Serves a feed with one process at a time until the feed has no more jobs. Cancelling the task kills the process.
    /// - Parameter startsEarly: whether the first process starts before there is a job, and not with the first job.
    /// - Throws: the errors of the feed's `ended`, or `CancellationError`.
    package func serve<Feed: JobFeed>(_ feed: Feed, startsEarly: Bool = false) async throws {
        BrokenPipe.isNoSignal()
        var next = startsEarly ? nil : await feed.next()
        var isEarly = startsEarly
        while next != nil || isEarly {
            isEarly = false
            let first = next
            try Task.checkCancellation()
            // If no group can be made now, the process says whether it may work without one.
            let group = try? groups?.make()
            let untouched: Assignment<Feed.Ticket>?
            do {
                untouched = try await run(first, feed, in: group)
            } catch {
                await group?.remove(within: timeout)
                throw error
            }
            await group?.remove(within: timeout)
            // A job that the process could not be given goes to another process.
            if let untouched { next = untouched } else { next = await feed.next() }
        }
    }

    /// Serves a feed with one process as long as the process lives and keeps to the protocol.
    /// - Parameter first: the first job; nil if the process asks the feed for it.
    /// - Returns: a job that the process could not be given.
    private func run<Feed: JobFeed>(
        _ first: Assignment<Feed.Ticket>?, _ feed: Feed, in group: ControlGroup?
    ) async throws -> Assignment<Feed.Ticket>? {
        let current = CurrentAssignment(first)
        let log = ProcessLog()
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = []
        let place = group.map { ["--control-group", $0.directory] } ?? []
        var death: ProcessDeath
        do {
            let outcome = try await Subprocess.run(
                .path(FilePath(executable)), arguments: Arguments(arguments + place), environment: RenderingProcess.environment,
                platformOptions: options, input: .inputWriter, output: .sequence, error: .sequence
            ) { execution in
                let process = StartedProcess(execution.processIdentifier.value) {
                    try? execution.send(signal: .kill, toProcessGroup: true)  // it has already ended, as intended
                }
                await current.note(process)
                let output = ProcessOutput(limit: lineLimit)
                async let logging: Void = log.listen(to: execution.standardError)
                async let listening: Void = output.listen(to: execution.standardOutput)
                let conversation = Conversation(
                    feed: feed, current: current, output: output, log: log, timeout: timeout, stop: process.kill,
                    send: { _ = try await execution.standardInputWriter.write($0) })
                let end: ConversationEnd
                do {
                    end = try await conversation.hold()
                } catch {
                    process.kill()  // otherwise its log would not end
                    await output.ignoreRest()
                    throw error
                }
                await output.ignoreRest()
                if case .over = end { try? await execution.standardInputWriter.finish() }  // it has ended
                let fault = await process.terminate(end, within: timeout)
                await listening
                await logging
                return fault
            }
            if outcome.closureResult == nil, outcome.terminationStatus.isSuccess, await current.exitedBetweenJobs {
                await current.giveBack()
            }
            death = outcome.closureResult.map { ProcessDeath($0) } ?? ProcessDeath(outcome.terminationStatus)
        } catch {
            // A killed process may take some time to end, and its files can be removed only afterwards.
            await current.process?.waitForExit(within: timeout)
            guard let error = error as? SubprocessError else { throw error }
            try Task.checkCancellation()
            death = ProcessDeath(error)
        }
        if let group, group.hasExceededMemory { death = .exceededMemory }
        guard let left = await current.assignment else { return nil }
        guard await !current.isUntouched else { return left }
        try await feed.ended(left.ticket, .died(death), log: await log.take(atMost: .zero).text)
        return nil
    }

    /// The environment of a rendering process: where programs, fonts and plug-ins are and how memory is checked, but no
    /// credentials.
    private static var environment: Environment {
        let names: Set = [
            "PATH", "HOME", "LANG", "TMPDIR", "USER", "SPOOL_FONT_PATH", "SPOOL_PLUGIN_PATH", "FREI0R_PATH", "LADSPA_PATH",
            "LV2_PATH",
        ]
        let families = ["LC_", "LD_", "XDG_", "MALLOC_", "FONTCONFIG_", "ASAN_"]
        var values = ProcessInfo.processInfo.environment.filter { name, _ in
            names.contains(name) || families.contains { name.hasPrefix($0) }
        }
        values["SWIFT_BACKTRACE"] = "enable=no"
        // A library that starts threads while it is loaded would start them outside of the sandbox.
        values["OPENBLAS_NUM_THREADS"] = "1"
        return .custom(Dictionary(uniqueKeysWithValues: values.map { (Environment.Key(stringLiteral: $0), $1) }))
    }
}
