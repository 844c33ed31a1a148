import TestSupport
import Testing
import FoundationEssentials

/// Compares docs/exit-codes.md with the programs: its commands with those that the programs have, and its codes with what
/// cheap commands end with.
@Suite("Exit codes")
struct ExitCodeTests {
    /// A command as the programs describe themselves with `--experimental-dump-help`.
    private struct Described: Decodable {
        struct Command: Decodable {
            var commandName: String
            var subcommands: [Command]?

            /// The commands that do something, with the names of those above them.
            func leaves(below path: [String] = []) -> [String] {
                let path = path + [commandName]
                let others = (subcommands ?? []).filter { $0.commandName != "help" }
                return others.isEmpty ? [path.joined(separator: " ")] : others.flatMap { $0.leaves(below: path) }
            }
        }

        var command: Command
    }

    private static let page = "docs/exit-codes.md"

    /// A program of this build.
    private static func program(_ name: String) -> String {
        URL(fileURLWithPath: SpoolTool.executable).deletingLastPathComponent().path + "/\(name)"
    }

    /// - Parameter path: the names of the commands above that which describes itself.
    private func commands(of words: String, below path: [String] = []) async throws -> [String] {
        let outcome = try await ShellTool.run("\(words) --experimental-dump-help")
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Described.self, from: Data(outcome.output.utf8)).command.leaves(below: path)
    }

    /// The names in backquotes in a cell.
    private func names(in cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
    }

    @Test("The page has every command of every program once")
    func commands() async throws {
        var expected: [String] = []
        let coordinator = "'\(ExitCodeTests.program("spool-coordinator"))'"
        for words in ["'\(SpoolTool.executable)'", coordinator, "'\(ExitCodeTests.program("spool-render"))'"] {
            expected += try await commands(of: words)
        }
        expected += try await commands(of: "\(coordinator) preview-server", below: ["spool-coordinator"])
        let listed = try DocumentTable.rows(of: ExitCodeTests.page, below: "## Commands").flatMap { names(in: $0.first ?? "") }
        #expect(Set(listed).subtracting(expected).sorted() == [], "commands that no program has")
        #expect(Set(expected).subtracting(listed).sorted() == [], "commands that the page does not have")
        #expect(listed.count == Set(listed).count)
    }

    @Test("The codes of the commands are among those that the page explains, and 1, which only spool-render has")
    func explained() throws {
        let known = Set(try DocumentTable.rows(of: ExitCodeTests.page, below: "## Codes").map { $0[0] })
        for row in try DocumentTable.rows(of: ExitCodeTests.page, below: "## Commands") where row[1] != "" {
            for code in row[1].split(separator: ",").map({ $0.drop { $0 == " " } }) {
                let isRenderer = names(in: row[0]).allSatisfy { $0.hasPrefix("spool-render ") }
                #expect(known.contains(String(code)) || isRenderer && code == "1", "\(row[0]): \(code)")
            }
        }
    }

    /// One cheap command line for each code, run in an empty directory. `$spool` is the program.
    static let examples: [(Int32, String)] = [
        (0, "$spool operations"), (64, "$spool operations --nonsense"), (64, "$spool record append"),
        (64, "$spool coordinator --prot=1"), (65, "$spool validate gone.json"), (65, "$spool verify gone.mp4"),
        (65, "$spool record status gone"), (69, "$spool fonts NoSuchFamily"),
        (70, "printf '#!/bin/sh\\nkill -9 $$\\n' > died; chmod +x died; SPOOL_RENDER_EXECUTABLE=./died $spool fonts"),
        (73, "touch file; $spool record new file/r"), (75, "$spool operations > /dev/full"), (73, "$spool operations >&-"),
        (3, "mkfifo open; $spool guard --log log -- /bin/sh -c 'exit 3' <> open"),
    ]

    @Test("A command ends with the code that the page gives for its cause", arguments: examples)
    func example(code: Int32, line: String) async throws {
        let directory = try TemporaryDirectory()
        let outcome = try await ShellTool.run(
            "cd '\(directory.path)'; export XDG_CACHE_HOME='\(directory.path)'; spool='\(SpoolTool.executable)'; \(line)")
        #expect(outcome.status == code, "\(outcome.errors)")
        let known = try DocumentTable.rows(of: ExitCodeTests.page, below: "## Codes").map { $0[0] }
        // A guarded program has a code of its own.
        #expect(known.contains("\(code)") || line.contains(" guard "))
    }

    @Test("A signal that ends a command, and a reader of its output that has gone, have the codes of shells")
    func signals() async throws {
        let gone = try await ShellTool.run("'\(SpoolTool.executable)' operations 2> /dev/null | true; echo ${PIPESTATUS[0]}")
        // The list may be written before the reader has gone.
        #expect(["141\n", "0\n"].contains(gone.output))
    }
}
