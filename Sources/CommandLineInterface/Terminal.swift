import Logging
import Telemetry
package import Vocabulary
package import FoundationEssentials
import Glibc

/// Prints results on standard output and everything else on standard error. Foreign text passes through here on its way
/// to the terminal, so control characters are escaped.
package enum Terminal {
    /// Whether standard error, where progress is shown, is a terminal.
    package static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

    /// Prints a line of the result.
    package static func print(_ line: String) { StandardOutput.write(line.printable + "\n") }

    /// Prints lines of the result.
    package static func print(lines: some Sequence<String>) {
        StandardOutput.write(lines.map { $0.printable + "\n" }.joined())
    }

    /// Prints a document: its exact bytes into a file or pipe, and with control characters escaped on a terminal.
    package static func print(document: Data) {
        guard isatty(STDOUT_FILENO) == 1 else { return StandardOutput.write(document + Data("\n".utf8)) }
        StandardOutput.write(String(decoding: document, as: UTF8.self).printableDocument + "\n")
    }

    /// Prints an error, a warning or other news. In a process whose log is JSON, this is a line of it.
    package static func error(_ line: String) {
        guard LogFormat.current == .json else { return write(line.printable + "\n", STDERR_FILENO) }
        let level: Logger.Level = line.hasPrefix("error: ") ? .error : line.hasPrefix("warning: ") ? .warning : .notice
        write(LogLine(process: "spool", level: level, message: line).text, STDERR_FILENO)
    }

    /// Writes a line of the log, in one call, so that lines of several processes on one file do not mix.
    static func write(_ line: LogLine) { write(line.text, STDERR_FILENO) }

    /// Shows a progress line in the place of the one before it.
    package static func show(_ line: ProgressLine) {
        write("\r\u{1B}[K" + line.text(columns: TerminalSize.columns(of: STDERR_FILENO)).printable, STDERR_FILENO)
    }

    /// Removes the progress line.
    package static func clearProgress() { write("\r\u{1B}[K", STDERR_FILENO) }

    /// Keeps the progress line on the screen and continues below it.
    package static func keepProgress() { write("\n", STDERR_FILENO) }

    /// Prints a value as indented JSON with sorted keys.
    package static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        print(json: try encoder.encode(value))
    }

    /// Prints JSON that this program encoded. The encoder leaves some control characters, which are escaped for a
    /// terminal without changing the meaning.
    package static func print(json: Data) {
        StandardOutput.write(String(decoding: json, as: UTF8.self).printableDocument + "\n")
    }

    private static func write(_ text: String, _ descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
