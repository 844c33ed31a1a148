import TestSupport
import Testing
import FoundationEssentials

/// `spool coordinator` becomes the program `spool-coordinator`, which lies beside it.
@Suite struct CoordinatorProgramTests {
    private static let program =
        URL(fileURLWithPath: SpoolTool.executable).deletingLastPathComponent().path + "/spool-coordinator"
    private static let remedy = "is missing, the coordinator's program; install it beside spool\n"

    private let directory: TemporaryDirectory
    /// `spool` in a directory of its own: a hard link or a copy, because a symbolic link would lead to the directory with
    /// all programs.
    private let spool: String

    init() async throws {
        directory = try TemporaryDirectory()
        spool = directory.file("spool")
        _ = try await ShellTool.run("cp --link '\(SpoolTool.executable)' '\(spool)' || cp '\(SpoolTool.executable)' '\(spool)'")
    }

    /// Puts a shell script in the place of `spool-coordinator`.
    private func putProgram(_ script: String) throws {
        let text = Data("#!/bin/sh\n\(script)\n".utf8)
        _ = FileManager.default.createFile(
            atPath: directory.file("spool-coordinator"), contents: text, attributes: [.posixPermissions: 0o755])
    }

    /// The long options that a help text lists.
    private func options(in help: String) -> [Substring] {
        help.matches(of: #/(?m)^ +(--[a-z-]+)/#).map(\.output.1)
    }

    @Test("Without its program the coordinator says what is missing, where, and the remedy")
    func missing() async throws {
        let outcome = try await ShellTool.run("'\(spool)' coordinator")
        #expect(outcome.status == 69)
        #expect(outcome.output == "")
        #expect(outcome.errors == "error: '\(directory.path)/spool-coordinator' \(CoordinatorProgramTests.remedy)")
    }

    @Test("A coordinator's program that the system cannot start is named with the reason and the remedy")
    func unusable() async throws {
        let program = directory.file("spool-coordinator")
        _ = FileManager.default.createFile(
            atPath: program, contents: Data("no program".utf8), attributes: [.posixPermissions: 0o755])
        let outcome = try await ShellTool.run("'\(spool)' coordinator")
        #expect(outcome.status == 69)
        #expect(outcome.errors == "error: '\(program)' cannot be started: Exec format error; install it again\n")
    }

    @Test("A server of a preview that ends without a word is told, with the remedy")
    func silentPreviewServer() async throws {
        try putProgram("exit 3")
        let draft = directory.file("draft.json")
        try Data(#"{"version": 1, "mainTrackClips": [{"type": "color", "duration": 1}]}"#.utf8)
            .write(to: URL(fileURLWithPath: draft))
        let renderer = CoordinatorProgramTests.program.replacing("spool-coordinator", with: "spool-render")
        let outcome = try await ShellTool.run(
            "SPOOL_RENDER_EXECUTABLE='\(renderer)' '\(spool)' preview '\(draft)' --cache '\(directory.file("cache"))'")
        #expect(outcome.status == 3)
        #expect(
            outcome.errors == "error: the server of the preview has ended with exit code 3; begin the preview again\n",
            "\(outcome.errors)")
    }

    @Test("Without the coordinator's program 'spool up' and 'spool bench' stop before they start a server")
    func farms() async throws {
        let port = try RedisServer.freePort()
        for command in ["up --directory '\(directory.file("farm"))' --port \(port)", "bench --jobs 1 --exports 1 --tenants 1"] {
            let outcome = try await ShellTool.run(
                "TMPDIR='\(directory.path)' SPOOL_RENDER_EXECUTABLE=/bin/true '\(spool)' \(command)")
            #expect(outcome.status == 69, "\(command)")
            #expect(
                outcome.errors.hasSuffix("error: '\(directory.path)/spool-coordinator' \(CoordinatorProgramTests.remedy)"),
                "\(command): \(outcome.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: directory.file("farm") + "/postgres"))
    }

    @Test("Without the coordinator's program doctor ends with 0 for exports, and with 69 and the remedy for a farm")
    func doctor() async throws {
        let renderer = CoordinatorProgramTests.program.replacing("spool-coordinator", with: "spool-render")
        let said = "coordinator: '\(directory.path)/spool-coordinator' is missing, the coordinator's program, "
        for (option, status, state) in [("", Int32(0), "none "), ("--farm", 69, "BAD  ")] {
            let outcome = try await ShellTool.run("SPOOL_RENDER_EXECUTABLE='\(renderer)' '\(spool)' doctor \(option)")
            #expect(outcome.status == status, "\(outcome.output) \(outcome.errors)")
            #expect(outcome.output.contains("\(state) \(said)so 'spool up' cannot run a farm here\n"), "\(outcome.output)")
            #expect(outcome.output.contains("      -> install it beside spool\n"), "\(outcome.output)")
        }
    }

    @Test("The help of 'spool coordinator' lists the options of its program, also where that is missing")
    func help() async throws {
        let help = try await ShellTool.run("'\(spool)' coordinator --help")
        #expect(help.status == 0 && help.errors == "")
        #expect(help.output.contains("USAGE: spool coordinator "))
        let listed = options(in: help.output)
        for option in ["--config", "--database-url", "--host", "--port", "--connections", "--keep-exports-count"] {
            #expect(listed.contains(option[...]), "\(option)")
        }
        let program = try await ShellTool.run("'\(CoordinatorProgramTests.program)' --help")
        #expect(program.status == 0 && program.errors == "")
        #expect(options(in: program.output) == listed.filter { $0 != "--version" })
    }

    @Test("The command line's errors are those of 'spool coordinator', and settings are checked by the program")
    func usage() async throws {
        let unknown = try await ShellTool.run("'\(spool)' coordinator --prot=1")
        #expect(unknown.status == 64)
        #expect(unknown.errors.contains("Did you mean '--port'?"), "\(unknown.errors)")
        #expect(unknown.errors.contains("spool coordinator"), "\(unknown.errors)")
        for (limit, message) in [
            ("--connections 0", "connections has to be 1...100000, not '0'"), ("--port -1", "port has to be 0...65535, not '-1'"),
            ("--keep-jobs soon", "'soon'"), ("--metrics-access nobody", "metricsAccess is one of "),
            ("--tls-certificate x", "--tls-certificate and --tls-key go together; give both"),
        ] {
            let outcome = try await SpoolTool.run(
                ["coordinator", "--database-url", "d", "--redis-url", "r", "--store", directory.path]
                    + limit.split(separator: " ").map(String.init))
            #expect(outcome.status == 64, "\(limit): \(outcome.errors)")
            #expect(outcome.errors.contains("error: ") && outcome.errors.contains(message), "\(outcome.errors)")
        }
    }

    @Test("The program gets the words, the environment and the process, and its exit code is the command's")
    func becoming() async throws {
        try putProgram(
            "echo $$ $0 $# \"$@\" $SPOOL_STORE; grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status; exit 7")
        let outcome = try await ShellTool.run(
            """
            SPOOL_STORE=s '\(spool)' coordinator --host 'a b' --port -1 & echo $!; wait $!; echo "status $?"
            '\(directory.file("spool-coordinator"))' & wait $!
            """)
        var lines = outcome.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 10, "\(outcome.output) \(outcome.errors)")
        // The two processes print side by side.
        let process = try #require(lines.first { Int($0) != nil })
        lines.removeAll { $0 == process }
        #expect(lines[0] == "\(process) \(directory.path)/spool-coordinator 4 --host a b --port -1 s")
        #expect(lines[4] == "status 7")
        #expect(Array(lines[1...3]) == Array(lines[6...8]), "the signals are those of a program that the shell starts")
    }

    @Test("A coordinator whose guard is killed ends, as any guarded program does", .timeLimit(.minutes(10)))
    func guarded() async throws {
        let begun = directory.file("begun")
        try putProgram("echo $$ > '\(begun)'; exec sleep 1000")
        let outcome = try await ShellTool.run(
            """
            mkfifo '\(directory.file("pipe"))' '\(begun)'
            exec 8<> '\(begun)'
            '\(spool)' guard --log '\(directory.file("log"))' -- '\(spool)' coordinator < '\(directory.file("pipe"))' &
            guard=$!
            exec 9> '\(directory.file("pipe"))'
            read -t 300 child <&8
            kill -KILL $guard
            timeout 300 tail --pid $child -s 0.02 -f /dev/null && echo gone
            """)
        #expect(outcome.output == "gone\n", "\(outcome.output) \(outcome.errors)")
    }
}
