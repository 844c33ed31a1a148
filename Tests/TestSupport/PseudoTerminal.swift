import FoundationEssentials

/// Runs a command on a pseudo-terminal of a given width, which may change during the run, and shows the resulting
/// screen.
package enum PseudoTerminal {
    /// The result of a run.
    package struct Outcome: Sendable {
        package let status: Int32
        /// Everything that was written to the terminal.
        package let output: String
        /// The same output, split where the terminal changed its width.
        package let sections: [Section]
        /// The rows of the screen, without empty rows at the end.
        package let screen: [String]
    }

    /// The output that was written at one width of the terminal.
    package struct Section: Sendable {
        package let columns: Int
        package let output: String
    }

    /// - Parameters:
    ///   - words: the program and its arguments; all three of its streams are the terminal.
    ///   - typed: what is typed at the terminal.
    ///   - shown: the text after which it is typed; empty for the beginning.
    /// - Throws: `FFmpegTool.Failure` if Python cannot run it.
    package static func run(
        _ words: [String], columns: Int, typed: String = "", after shown: String = ""
    ) async throws -> Outcome {
        try await run(words, columns: [columns], changingAfter: "", typed: typed, after: shown)
    }

    /// - Parameters:
    ///   - words: the program and its arguments; all three of its streams are the terminal.
    ///   - columns: the widths of the terminal, one after the other.
    ///   - mark: the text after which the terminal changes to its next width.
    ///   - typed: what is typed at the terminal.
    ///   - shown: the text after which it is typed; empty for the beginning.
    /// - Throws: `FFmpegTool.Failure` if Python cannot run it.
    package static func run(
        _ words: [String], columns: [Int], changingAfter mark: String, typed: String = "", after shown: String = ""
    ) async throws -> Outcome {
        let widths = columns.map(String.init).joined(separator: ",")
        let lines = try await PythonTool.run(script, [widths, mark, typed, shown] + words).split(separator: "\n")
        guard let status = lines.first.flatMap({ Int32($0) }) else {
            throw FFmpegTool.Failure(description: "the pseudo terminal said: \(lines)")
        }
        let sections = try lines.dropFirst().map { line in
            let parts = line.split(separator: " ")
            guard parts.count == 2, let columns = Int(parts[0]), let data = Data(base64Encoded: String(parts[1])) else {
                throw FFmpegTool.Failure(description: "the pseudo terminal said: \(line)")
            }
            return Section(columns: columns, output: String(decoding: data, as: UTF8.self))
        }
        var screen = Screen(columns: columns.first ?? 80)
        for section in sections { screen.show(section) }
        return Outcome(
            status: status, output: sections.map(\.output).joined(), sections: sections, screen: screen.text)
    }

    private static let script = """
        import base64, fcntl, os, pty, select, signal, struct, sys, termios
        widths, mark = [int(width) for width in sys.argv[1].split(",")], sys.argv[2].encode()
        typed, shown, words = sys.argv[3].encode(), sys.argv[4].encode(), sys.argv[5:]
        child, master = pty.fork()
        if child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, widths[0], 0, 0))
            os.execvp(words[0], words)
        sections = [b""]
        if typed and not shown:
            os.write(master, typed)
        while True:
            try:
                chunk = os.read(master, 65536)
            except OSError:
                break
            if not chunk:
                break
            sections[-1] += chunk
            if typed and shown and shown in sections[-1]:
                os.write(master, typed)
                typed = b""
            if not mark or mark not in sections[-1] or len(sections) == len(widths):
                continue
            # Nothing is written while the width changes, so that it is certain for every line at which width it was written.
            os.kill(child, signal.SIGSTOP)
            if not os.WIFSTOPPED(os.waitpid(child, os.WUNTRACED)[1]):
                sys.exit("the program has ended")
            while select.select([master], [], [], 0.05)[0]:
                sections[-1] += os.read(master, 65536)
            # The program is told by SIGWINCH, as by a terminal whose window changes.
            fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 50, widths[len(sections)], 0, 0))
            sections.append(b"")
            os.kill(child, signal.SIGCONT)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(status)
        for width, output in zip(widths, sections):
            print(width, base64.b64encode(output).decode() or "=")
        """
}

/// The features of a terminal that commands use: wrapped lines, carriage returns, and clearing to the end of a row.
/// When the terminal becomes narrower, the text beyond its last column is cut off.
private struct Screen {
    private var columns: Int
    private var rows: [[Character]] = [[]]
    private var row = 0
    private var column = 0

    init(columns: Int) { self.columns = columns }

    /// The rows, without empty rows at the end.
    var text: [String] {
        var shown = rows
        while shown.last?.allSatisfy({ $0 == " " }) == true { shown.removeLast() }
        return shown.map { String($0) }
    }

    mutating func show(_ section: PseudoTerminal.Section) {
        columns = section.columns
        for row in rows.indices { rows[row] = Array(rows[row].prefix(columns)) }
        column = min(column, columns)
        var rest = Substring(section.output.replacing("\r\n", with: "\n\r"))
        while let character = rest.popFirst() {
            switch character {
            case "\r": column = 0
            case "\n": goDown()
            case "\u{1B}" where rest.hasPrefix("[K"):
                rest = rest.dropFirst(2)
                rows[row] = Array(rows[row].prefix(column))
            default:
                if column == columns {
                    column = 0
                    goDown()
                }
                while rows[row].count <= column { rows[row].append(" ") }
                rows[row][column] = character
                column += 1
            }
        }
    }

    private mutating func goDown() {
        row += 1
        if row == rows.count { rows.append([]) }
    }
}
