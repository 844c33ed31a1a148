import CommandLineInterface
import Dispatch
import Synchronization
import Vocabulary
import Glibc

/// The terminal of `spool top`: it draws on the second screen, which terminals have beside the one with the shell's lines,
/// and reads single keys. `leave` gives everything back.
final class TopTerminal: Sendable {
    /// Whether standard input and output are a terminal.
    static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    private let before: termios
    private let isLeft = Mutex(false)

    /// - Throws: `CommandFailure` where the terminal cannot be changed.
    init() throws {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { throw TopTerminal.failure }
        before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // A program that is suspended would leave the shell on the second screen.
        withUnsafeMutableBytes(of: &settings.c_cc) { $0[Int(VSUSP)] = 0 }
        guard tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { throw TopTerminal.failure }
        StandardOutput.write("\u{1B}[?1049h\u{1B}[?25l")
    }

    private static var failure: CommandFailure {
        CommandFailure(
            "the terminal cannot be changed: \(String(cString: strerror(errno))); run spool top in the foreground of a terminal",
            status: ExitStatus.unavailable)
    }

    /// Shows the shell's screen again, with the terminal as it was.
    func leave() {
        guard
            isLeft.withLock({ left in
                defer { left = true }
                return !left
            })
        else { return }
        StandardOutput.write("\u{1B}[?25h\u{1B}[?1049l")
        var settings = before
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    func draw(_ view: TopView) {
        let lines = view.lines(
            columns: TerminalSize.columns(of: STDOUT_FILENO), rows: TerminalSize.rows(of: STDOUT_FILENO)
        ) { "\u{1B}[7m\($0)\u{1B}[0m" }
        StandardOutput.write("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }

    /// Reads keys on a thread of its own until `leave`.
    func readKeys(_ handle: @escaping @Sendable (TopKey) -> Void) {
        DispatchQueue(label: "keys of spool top").async { [self] in
            while !isLeft.withLock({ $0 }) {
                var watched = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                guard poll(&watched, 1, 100) > 0 else { continue }
                var bytes = [UInt8](repeating: 0, count: 256)
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                // The terminal is closed.
                guard count > 0 else { return handle(.character("q")) }
                for key in TopTerminal.keys(bytes.prefix(count)) { handle(key) }
            }
        }
    }

    /// The keys that bytes of a terminal stand for. A key with a name sends a sequence of bytes, which come together.
    private static func keys(_ bytes: ArraySlice<UInt8>) -> [TopKey] {
        var keys: [TopKey] = []
        var rest = Substring(String(decoding: bytes, as: UTF8.self))
        while let character = rest.popFirst() {
            switch character {
            case "\u{1B}":
                guard rest.first == "[" || rest.first == "O" else {
                    keys.append(.leave)
                    break
                }
                rest.removeFirst()
                let end = rest.drop { $0.isNumber || $0 == ";" }
                if end.first == "A" { keys.append(.up) }
                if end.first == "B" { keys.append(.down) }
                rest = end.dropFirst()
            case "\t": keys.append(.next)
            case "\r", "\n", "\r\n": keys.append(.enter)
            case "\u{7F}", "\u{8}": keys.append(.erase)
            default: if !character.unicodeScalars.contains(where: { $0.value < 32 }) { keys.append(.character(character)) }
            }
        }
        return keys
    }
}
