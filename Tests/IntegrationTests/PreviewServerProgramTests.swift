import TestSupport
import Testing
import FoundationEssentials

/// `spool-coordinator preview-server` as `spool preview` starts it: messages on standard input and standard output.
@Suite(.timeLimit(.minutes(5)))
struct PreviewServerProgramTests {
    private static let program =
        URL(fileURLWithPath: SpoolTool.executable).deletingLastPathComponent().path + "/spool-coordinator"
    private static let token = "0123456789abcdef-secret"

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("media"), withIntermediateDirectories: true)
        try Data(#"{"revision":1}"#.utf8).write(to: URL(fileURLWithPath: directory.file("state.json")))
    }

    /// Runs lines of bash beside a server. `$port` is its port, `say` sends it a message, `hear` reads one.
    private func run(_ script: String, options: String = "--port 0") async throws -> SpoolTool.Outcome {
        try await ShellTool.run(
            """
            serve() { exec '\(PreviewServerProgramTests.program)' preview-server --directory "$@"; }
            export PREVIEW_TOKEN=\(PreviewServerProgramTests.token)
            coproc server { serve '\(directory.path)' \(options); }
            process=$server_PID
            exec 8<&"${server[0]}" 9>&"${server[1]}"
            eval "exec ${server[0]}<&- ${server[1]}>&-"
            hear() { read -r -t 100 heard <&8; echo "$heard"; }
            say() { echo "$1" >&9; }
            get() { curl -sN -m 100 "http://127.0.0.1:$port/$1?token=$PREVIEW_TOKEN"; }
            port=$(hear | tr -dc 0-9)
            \(script)
            """)
    }

    @Test("The server says its port, serves files and waits for one, and ends with standard input")
    func serves() async throws {
        let outcome = try await run(
            """
            get state; echo
            get media/a-0.m4s > '\(directory.file("answer"))' & client=$!
            hear
            say 'this is no message'
            printf film > '\(directory.file("media"))/a-0.m4s'
            say '{"event":"ready","file":"a-0.m4s"}'
            wait $client; cat '\(directory.file("answer"))'; echo
            get events > '\(directory.file("events"))' 9>&- & page=$!
            until [ -s '\(directory.file("events"))' ]; do sleep 0.02; done
            exec 9>&-
            wait $process; echo "status $?"
            wait $page; echo "page $?"
            """)
        #expect(
            outcome.output == "{\"revision\":1}\n{\"want\":\"a-0.m4s\"}\nfilm\nstatus 0\npage 0\n",
            "\(outcome.output) \(outcome.errors)")
        #expect(outcome.errors.contains("this is no message"), "\(outcome.errors)")
    }

    @Test("SIGTERM ends the server while its input is open")
    func signals() async throws {
        let outcome = try await run("kill -TERM $process; wait $process; echo \"status $?\"")
        #expect(outcome.output == "status 0\n", "\(outcome.output) \(outcome.errors)")
    }

    @Test("The token may be an option, which counts before the environment")
    func option() async throws {
        let other = "another-token-of-a-preview"
        let outcome = try await run("PREVIEW_TOKEN=\(other) get state", options: "--port 0 --token \(other)")
        #expect(outcome.output == #"{"revision":1}"#, "\(outcome.output) \(outcome.errors)")
    }

    @Test("A token that is missing or too short, and a port that is taken, are said with the remedy")
    func faults() async throws {
        for token in ["", "--token short"] {
            let outcome = try await run("(unset PREVIEW_TOKEN; serve / --port 0 \(token)); echo \"status $?\"")
            #expect(outcome.output == "status 64\n" && outcome.errors.contains("give it with --token"), "\(outcome.errors)")
        }
        let taken = try await run("(serve / --port $port <&8); echo \"status $?\"")
        #expect(taken.output == "status 69\n", "\(taken.output)")
        #expect(
            taken.errors.contains("' is taken by another program; stop that, or choose another port with --port\n"),
            "\(taken.errors)")
        let elsewhere = try await run("(serve / --host 192.0.2.1 --port 0 <&8); echo \"status $?\"")
        #expect(elsewhere.output == "status 69\n", "\(elsewhere.output)")
        #expect(
            elsewhere.errors.contains("'192.0.2.1' is not an address of this machine; choose another one with --host\n"),
            "\(elsewhere.errors)")
        let impossible = try await run("(serve / --port 70000 <&8); echo \"status $?\"")
        #expect(impossible.output == "status 64\n", "\(impossible.output)")
        #expect(impossible.errors.contains("--port has to be 0...65535, not '70000'"), "\(impossible.errors)")
    }

    @Test("A port that is the system's own is refused with the remedy")
    func systemPort() async throws {
        let file = "/proc/sys/net/ipv4/ip_unprivileged_port_start"
        let text = FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard let first = Int(text.filter(\.isNumber)), first > 7 else {
            return print("not tested: every user may listen on every port of this machine")
        }
        // Root does without the right to such ports.
        let outcome = try await run(
            """
            without=; [ "$(id -u)" = 0 ] && without='setpriv --bounding-set=-net_bind_service'
            $without '\(PreviewServerProgramTests.program)' preview-server --directory / --port 7 <&8; echo "status $?"
            """)
        #expect(outcome.output == "status 69\n", "\(outcome.output)")
        #expect(
            outcome.errors.contains(
                "this user may not listen on port 7 of '127.0.0.1'; choose one above 1023 with --port\n"),
            "\(outcome.errors)")
    }

    @Test("The subcommand is not listed, and 'spool-coordinator --help' is as before")
    func hidden() async throws {
        let program = PreviewServerProgramTests.program
        let help = try await ShellTool.run("'\(program)' --help")
        #expect(help.status == 0 && !help.output.contains("preview") && !help.output.contains("<subcommand>"))
        let own = try await ShellTool.run("'\(program)' preview-server --help")
        #expect(own.status == 0 && own.output.contains("--directory"))
    }
}
