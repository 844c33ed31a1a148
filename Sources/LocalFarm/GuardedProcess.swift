import Subprocess
import SystemPackage

/// A program that runs as a child of this one and ends with it, even when this one is killed.
///
/// `spool guard` runs between the two. It waits for its standard input to close, which happens also when this program
/// is killed, and then sends the child its signal for a clean stop. The child ends as well when the guard is killed.
package struct GuardedProcess: Sendable {
    /// The path of `spool`, which guards the program.
    package var guardian: String
    /// The absolute path of the program.
    package var executable: String
    package var arguments: [String]
    package var environment: [String: String]
    package var user: UnprivilegedUser?
    /// The signal for a clean stop: `TERM` or `INT`.
    package var stopSignal: String
    /// The file that receives standard output and standard error.
    package var logFile: String

    package init(
        _ executable: String, _ arguments: [String], guardian: String, environment: [String: String] = [:],
        user: UnprivilegedUser? = nil,
        stopSignal: String = "TERM", logFile: String
    ) {
        self.guardian = guardian
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.user = user
        self.stopSignal = stopSignal
        self.logFile = logFile
    }

    /// Runs the program until it ends by itself, or until the task is cancelled, which stops it cleanly.
    /// - Returns: its exit code; 128 and the signal's number when one ended it.
    package func run() async throws -> Int32 {
        let stop = StopSwitch()
        return try await withTaskCancellationHandler {
            // A separate task, because a cancelled task would not wait for the program's clean end; it is awaited here.
            try await Task { try await run(until: stop) }.value
        } onCancel: {
            stop.pull()
        }
    }

    private func run(until stop: StopSwitch) async throws -> Int32 {
        var options = PlatformOptions()
        // Ctrl-C reaches every process of the terminal's group; this program decides the order in which its children
        // stop.
        options.processGroupID = 0
        options.teardownSequence = []
        // The guard itself keeps the calling user, because another user may not be able to enter its directory.
        let identity = user.map { ["--user", "\($0.userID):\($0.groupID)"] } ?? []
        let words = ["guard", "--stop-signal", stopSignal, "--log", logFile] + identity + ["--", executable] + arguments
        let outcome = try await Subprocess.run(
            .path(FilePath(guardian)), arguments: Arguments(words),
            environment: .inherit.updating(
                Dictionary(uniqueKeysWithValues: environment.map { (Environment.Key(stringLiteral: $0), $1) })),
            platformOptions: options, input: .inputWriter, output: .sequence, error: .currentStandardError
        ) { execution in
            let input = execution.standardInputWriter
            let closing = Task {  // awaited below
                await stop.pulled()
                try await input.finish()
            }
            // Nothing is ever written there; the stream ends when the guard ends.
            for try await _ in execution.standardOutput {}
            stop.pull()
            try await closing.value
        }
        switch outcome.terminationStatus {
        case .exited(let code): return code
        case .signaled(let number): return 128 + number
        }
    }
}

/// A switch that is set once and wakes everything that waits for it.
private final class StopSwitch: Sendable {
    private let stream: AsyncStream<Never>
    private let output: AsyncStream<Never>.Continuation

    init() {
        (stream, output) = AsyncStream.makeStream()
    }

    func pull() { output.finish() }

    func pulled() async { for await _ in stream {} }
}
