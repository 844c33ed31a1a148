import Subprocess
import SystemPackage

/// A program that runs for as long as this one does, and ends with it, however that ends.
///
/// A shell stands between the two: it waits for its standard input to close, which it does also when this program is killed,
/// and ends the program with the signal that it takes for a clean stop.
public struct GuardedProcess: Sendable {
    public var executable: String
    public var arguments: [String]
    public var environment: [String: String]
    public var user: UnprivilegedUser?
    /// The signal for a clean stop, such as `TERM`.
    public var stopSignal: String
    /// Standard output and standard error go to this file.
    public var logFile: String

    public init(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:], user: UnprivilegedUser? = nil,
        stopSignal: String = "TERM", logFile: String
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.user = user
        self.stopSignal = stopSignal
        self.logFile = logFile
    }

    private static let guardian = """
        signal=$1 log=$2; shift 2
        "$@" >> "$log" 2>&1 < /dev/null &
        program=$!
        ( read -r _; kill -"$signal" $program 2> /dev/null ) <&3 3<&- &
        reader=$!
        wait $program; status=$?
        while kill -0 $program 2> /dev/null; do wait $program; status=$?; done
        kill $reader 2> /dev/null
        exit $status
        """

    /// Runs the program until it ends by itself or the task is cancelled, which stops it cleanly.
    /// - Returns: its exit code; 128 and the signal's number when one ended it.
    public func run() async throws -> Int32 {
        let stop = StopSwitch()
        return try await withTaskCancellationHandler {
            // A task of its own, because a cancelled one would not wait for the program's clean end; awaited here.
            try await Task { try await run(until: stop) }.value
        } onCancel: {
            stop.pull()
        }
    }

    private func run(until stop: StopSwitch) async throws -> Int32 {
        var options = PlatformOptions()
        // Ctrl-C reaches the whole terminal; the order in which things stop is this program's business.
        options.processGroupID = 0
        options.teardownSequence = []
        let words = ["-c", "exec 3<&0; " + GuardedProcess.guardian, "guardian", stopSignal, logFile, executable] + arguments
        let command = CommandLine("/bin/sh", words, as: user)
        let outcome = try await Subprocess.run(
            command.executable, arguments: command.arguments,
            environment: .inherit.updating(
                Dictionary(uniqueKeysWithValues: environment.map { (Environment.Key(stringLiteral: $0), $1) })),
            platformOptions: options, input: .inputWriter, output: .sequence, error: .currentStandardError
        ) { execution in
            let input = execution.standardInputWriter
            let closing = Task {  // awaited below
                await stop.pulled()
                try await input.finish()
            }
            // Nothing is ever written there: it ends with the guardian.
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

/// Pulled once, seen by everybody who waits.
private final class StopSwitch: Sendable {
    private let stream: AsyncStream<Never>
    private let output: AsyncStream<Never>.Continuation

    init() {
        (stream, output) = AsyncStream.makeStream()
    }

    func pull() { output.finish() }

    func pulled() async { for await _ in stream {} }
}
