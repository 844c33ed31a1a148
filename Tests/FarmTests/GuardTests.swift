import TestSupport
import Testing

/// `spool guard`, which `spool up` starts its servers with.
@Suite("The guard of a server")
struct GuardTests {
    @Test(
        "A guarded program ends when the pipe to its guard closes, and when the guard is stopped or killed",
        .timeLimit(.minutes(1)),
        arguments: [
            "exec 9>&-", "kill -TERM $guard", "kill -KILL $guard", "kill -STOP $child; exec 9>&-",
            "kill -STOP $child; kill -TERM $guard",
        ])
    func ends(_ deed: String) async throws {
        let outcome = try await guarded("--stop-signal INT", "/bin/sleep 1000", deed)
        #expect(outcome.output.contains("gone"), "\(outcome.output) \(outcome.errors)")
        let isKilled = deed.contains("KILL")
        #expect(outcome.output.contains("status \(isKilled ? 137 : 130)\n"), "\(outcome.output)")
    }

    @Test(
        "The guard ends with the exit code of its program", .timeLimit(.minutes(1)),
        arguments: [("/bin/sh -c 'exit 7'", 7), ("/bin/sh -c 'kill -KILL $$'", 137), ("/bin/no-such-program", 127)])
    func status(_ program: String, _ status: Int) async throws {
        let outcome = try await guarded("", program, ":")
        #expect(outcome.output.contains("status \(status)\n"), "\(outcome.output) \(outcome.errors)")
    }

    @Test(
        "A pipe that is closed from the start ends the program, also below a shell that ignores SIGINT",
        .timeLimit(.minutes(1)))
    func closedFromTheStart() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let guarded = "'\(SpoolTool.executable)' guard --stop-signal INT --log '\(directory.file("log"))' -- /bin/sleep 1000"
        let outcome = try await ShellTool.run(
            """
            trap '' INT
            for run in {1..20}; do : | timeout --signal KILL 20 \(guarded); echo $?; done | sort | uniq -c
            """)
        #expect(outcome.output.split(whereSeparator: \.isWhitespace) == ["20", "130"], "\(outcome.output) \(outcome.errors)")
    }

    @Test("The program's output goes to its log, and its input is empty", .timeLimit(.minutes(1)))
    func log() async throws {
        let outcome = try await guarded("", "/bin/sh -c 'cat; echo out; echo err >&2'", ":")
        #expect(outcome.output.contains("status 0\nout\nerr\n"), "\(outcome.output) \(outcome.errors)")
    }

    /// Runs a program under a guard, and something else as soon as the guard has a child or has ended.
    /// - Returns: what the shell printed: `gone` when the child has ended, the guard's status, and the log.
    private func guarded(_ options: String, _ program: String, _ deed: String) async throws -> SpoolTool.Outcome {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        return try await ShellTool.run(
            """
            mkfifo '\(directory.file("pipe"))'
            '\(SpoolTool.executable)' guard \(options) --log '\(directory.file("log"))' -- \(program) < '\(directory.file("pipe"))' &
            guard=$!
            exec 9> '\(directory.file("pipe"))'
            until child=$(pgrep -P $guard) || ! kill -0 $guard 2> /dev/null; do read -t 0.02 < <(:) || true; done
            \(deed)
            [ -z "$child" ] || timeout 30 tail --pid $child -s 0.02 -f /dev/null && echo gone
            wait $guard; echo "status $?"
            cat '\(directory.file("log"))'
            """)
    }
}
