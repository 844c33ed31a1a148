import Dispatch
import RenderMessages
import Subprocess
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How the program is started that runs a `ChildLoop`, and one slot's conversation with it: a process takes job after job, and
/// another one follows when it dies.
public struct RenderingProcess: Sendable {
    private let executable: String
    private let arguments: [String]

    /// - Parameters:
    ///   - executable: the program, and `arguments` the words that make it run a `ChildLoop`.
    public init(executable: String, arguments: [String]) {
        self.executable = executable
        self.arguments = arguments
    }

    /// Serves a feed with one process at a time until the feed is over. Cancelling the task kills the process.
    /// - Throws: what the feed's `ended` throws, or `CancellationError`.
    public func serve<Feed: JobFeed>(_ feed: Feed) async throws {
        while let first = await feed.next() {
            try Task.checkCancellation()
            let current = CurrentAssignment(first)
            let log = ProcessLog()
            var options = PlatformOptions()
            options.processGroupID = 0
            options.teardownSequence = []
            do {
                let outcome = try await Subprocess.run(
                    .path(FilePath(executable)), arguments: Arguments(arguments), environment: RenderingProcess.environment,
                    platformOptions: options, input: .inputWriter, output: .sequence, error: .sequence
                ) { execution in
                    await current.note(process: execution.processIdentifier.value)
                    async let listening: Void = log.listen(to: execution.standardError)
                    let stop: @Sendable () -> Void = {
                        try? execution.send(signal: .kill, toProcessGroup: true)  // already gone: what was wanted
                    }
                    do {
                        var lines = execution.standardOutput.strings(bufferingPolicy: .unbounded).makeAsyncIterator()
                        while let assignment = await current.assignment {
                            await feed.started(assignment.ticket, stop: stop)
                            _ = try await execution.standardInputWriter.write(try MessageLine.encode(assignment.order))
                            guard let end = try await converse(assignment.ticket, &lines, feed) else { break }
                            try await feed.ended(assignment.ticket, end, log: await log.take())
                            await current.set(await feed.next())
                        }
                        try await execution.standardInputWriter.finish()
                    } catch {
                        stop()  // or its log would not end
                        throw error
                    }
                    await listening
                }
                if let lost = await current.assignment {
                    try await feed.ended(lost.ticket, .died("\(outcome.terminationStatus)"), log: await log.take())
                }
            } catch {
                // A process that was killed may take its time to be gone, and what it leaves can be cleared only then.
                await current.untilGone()
                guard error is SubprocessError else { throw error }
                try Task.checkCancellation()
                if let lost = await current.assignment { try await feed.ended(lost.ticket, .died("\(error)"), log: "") }
            }
        }
    }

    /// Listens until the job has ended.
    /// - Returns: nil when the process died instead.
    private func converse<Feed: JobFeed>(
        _ ticket: Feed.Ticket, _ lines: inout SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator, _ feed: Feed
    ) async throws -> JobOutcome? {
        while let line = try await lines.next() {
            switch try MessageLine.decode(ChildMessage.self, line) {
            case .progress(let done): await feed.progress(ticket, done: done)
            case .finished(let result): return .finished(result)
            case .failed(let failure): return .failed(failure)
            }
        }
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

/// What a slot's process works on; nil between the last job and the process's end.
private actor CurrentAssignment<Ticket: Sendable> {
    private(set) var assignment: Assignment<Ticket>?
    private var process: Int32?

    init(_ assignment: Assignment<Ticket>) {
        self.assignment = assignment
    }

    func set(_ assignment: Assignment<Ticket>?) { self.assignment = assignment }

    func note(process: Int32) { self.process = process }

    /// Waits for the process's end, but for no longer than five seconds. Works in a cancelled task, too.
    func untilGone() async {
        guard let process else { return }
        let deadline = ContinuousClock.now + .seconds(5)
        while kill(process, 0) == 0, ContinuousClock.now < deadline {
            await withCheckedContinuation { woken in
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) { woken.resume() }
            }
        }
    }
}
