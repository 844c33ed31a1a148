#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runs a command on a terminal of its own, as wide as a test wants and changing its width where a test wants that, and shows what its screen looks like in the end.
public enum PseudoTerminal {
    /// How a run ended.
    public struct Outcome: Sendable {
        public let status: Int32
        /// Everything that was written to the terminal.
        public let output: String
        /// The same, cut where the terminal changed its width.
        public let stretches: [Stretch]
        /// The rows of the screen, without those that are empty at its end.
        public let screen: [String]
    }

    /// What was written while the terminal had one width.
    public struct Stretch: Sendable {
        public let columns: Int
        public let output: String
    }

    /// - Parameter words: the program and its arguments; all three of its streams are the terminal.
    /// - Throws: `FFmpegTool.Failure` when Python cannot run it.
    public static func run(_ words: [String], columns: Int) async throws -> Outcome {
        try await run(words, columns: [columns], changingAfter: "")
    }

    /// - Parameters:
    ///   - words: the program and its arguments; all three of its streams are the terminal.
    ///   - columns: the widths that the terminal has one after the other.
    ///   - mark: what a program writes where the terminal takes its next width.
    /// - Throws: `FFmpegTool.Failure` when Python cannot run it.
    public static func run(_ words: [String], columns: [Int], changingAfter mark: String) async throws -> Outcome {
        let widths = columns.map(String.init).joined(separator: ",")
        let lines = try await PythonTool.run(script, [widths, mark] + words).split(separator: "\n")
        guard let status = lines.first.flatMap({ Int32($0) }) else {
            throw FFmpegTool.Failure(description: "the pseudo terminal said: \(lines)")
        }
        let stretches = try lines.dropFirst().map { line in
            let parts = line.split(separator: " ")
            guard parts.count == 2, let columns = Int(parts[0]), let data = Data(base64Encoded: String(parts[1])) else {
                throw FFmpegTool.Failure(description: "the pseudo terminal said: \(line)")
            }
            return Stretch(columns: columns, output: String(decoding: data, as: UTF8.self))
        }
        var screen = Screen(columns: columns.first ?? 80)
        for stretch in stretches { screen.show(stretch) }
        return Outcome(
            status: status, output: stretches.map(\.output).joined(), stretches: stretches, screen: screen.text)
    }

    private static let script = """
        import base64, fcntl, os, pty, select, signal, struct, sys, termios
        widths, mark, words = [int(width) for width in sys.argv[1].split(",")], sys.argv[2].encode(), sys.argv[3:]
        child, master = pty.fork()
        if child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, widths[0], 0, 0))
            os.execvp(words[0], words)
        stretches = [b""]
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            stretches[-1] += piece
            if not mark or mark not in stretches[-1] or len(stretches) == len(widths):
                continue
            # Nothing is written while the width changes, so that it is certain for every line at which width it was written.
            os.kill(child, signal.SIGSTOP)
            if not os.WIFSTOPPED(os.waitpid(child, os.WUNTRACED)[1]):
                sys.exit("the program has ended")
            while select.select([master], [], [], 0.05)[0]:
                stretches[-1] += os.read(master, 65536)
            # The program is told by SIGWINCH, as by a terminal whose window changes.
            fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 50, widths[len(stretches)], 0, 0))
            stretches.append(b"")
            os.kill(child, signal.SIGCONT)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(status)
        for width, output in zip(widths, stretches):
            print(width, base64.b64encode(output).decode() or "=")
        """
}

/// As much of a terminal as commands make use of: lines that wrap, carriage returns, and clearing to the end of a row. What stands behind the
/// last column of a terminal that becomes narrower is cut off.
private struct Screen {
    private var columns: Int
    private var rows: [[Character]] = [[]]
    private var row = 0
    private var column = 0

    init(columns: Int) { self.columns = columns }

    /// The rows, without those that are empty at the end.
    var text: [String] {
        var shown = rows
        while shown.last?.allSatisfy({ $0 == " " }) == true { shown.removeLast() }
        return shown.map { String($0) }
    }

    mutating func show(_ stretch: PseudoTerminal.Stretch) {
        columns = stretch.columns
        for row in rows.indices { rows[row] = Array(rows[row].prefix(columns)) }
        column = min(column, columns)
        var rest = Substring(stretch.output.replacing("\r\n", with: "\n\r"))
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
