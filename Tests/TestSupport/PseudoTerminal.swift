#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runs a command on a terminal of its own, as wide as a test wants, and shows what its screen looks like in the end.
public enum PseudoTerminal {
    /// How a run ended.
    public struct Outcome: Sendable {
        public let status: Int32
        /// Everything that was written to the terminal.
        public let output: String
        /// The rows of the screen, without those that are empty at its end.
        public let screen: [String]
    }

    /// - Parameter words: the program and its arguments; all three of its streams are the terminal.
    /// - Throws: `FFmpegTool.Failure` when Python cannot run it.
    public static func run(_ words: [String], columns: Int) async throws -> Outcome {
        let lines = try await PythonTool.run(script, ["\(columns)"] + words).split(separator: "\n")
        guard lines.count == 2, let status = Int32(lines[0]), let data = Data(base64Encoded: String(lines[1])) else {
            throw FFmpegTool.Failure(description: "the pseudo terminal said: \(lines)")
        }
        let output = String(decoding: data, as: UTF8.self)
        return Outcome(status: status, output: output, screen: Screen(columns: columns).rows(after: output))
    }

    private static let script = """
        import base64, fcntl, os, pty, struct, sys, termios
        columns, words = int(sys.argv[1]), sys.argv[2:]
        child, master = pty.fork()
        if child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
            os.execvp(words[0], words)
        output = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            output += piece
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(status)
        print(base64.b64encode(output).decode() or "=")
        """
}

/// As much of a terminal as commands make use of: lines that wrap, carriage returns, and clearing to the end of a row.
private struct Screen {
    let columns: Int

    func rows(after output: String) -> [String] {
        var rows: [[Character]] = [[]]
        var row = 0
        var column = 0
        var rest = Substring(output.replacing("\r\n", with: "\n\r"))
        while let character = rest.popFirst() {
            switch character {
            case "\r": column = 0
            case "\n":
                row += 1
                if row == rows.count { rows.append([]) }
            case "\u{1B}" where rest.hasPrefix("[K"):
                rest = rest.dropFirst(2)
                rows[row] = Array(rows[row].prefix(column))
            default:
                if column == columns {
                    column = 0
                    row += 1
                    if row == rows.count { rows.append([]) }
                }
                while rows[row].count <= column { rows[row].append(" ") }
                rows[row][column] = character
                column += 1
            }
        }
        while rows.last?.allSatisfy({ $0 == " " }) == true { rows.removeLast() }
        return rows.map { String($0) }
    }
}
