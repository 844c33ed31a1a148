import TerminalText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where text goes: results to standard output, everything else to standard error. Text of others passes through here on its way to the
/// terminal, and what a terminal would obey is escaped.
enum Terminal {
    static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

    /// A line of the result.
    static func print(_ line: String) { Swift.print(line.printable) }

    /// Lines of the result.
    static func print(lines: some Sequence<String>) { for line in lines { print(line) } }

    /// A document as it is: to the byte into a file or pipe, with what a terminal would obey escaped on a terminal.
    static func print(document: Data) {
        let text = String(decoding: document, as: UTF8.self)
        Swift.print(isatty(STDOUT_FILENO) == 1 ? text.printableDocument : text)
    }

    /// A line of errors, warnings or news.
    static func error(_ line: String) { write(line.printable + "\n", STDERR_FILENO) }

    /// A line of progress in the place of the one before it.
    static func show(_ line: ProgressLine) {
        write("\r\u{1B}[K" + line.text(columns: TerminalSize.columns(of: STDERR_FILENO)).printable, STDERR_FILENO)
    }

    /// Takes the line of progress away.
    static func clearProgress() { write("\r\u{1B}[K", STDERR_FILENO) }

    /// Leaves the line of progress where it is and goes on below it.
    static func keepProgress() { write("\n", STDERR_FILENO) }

    /// Hands printed text on at once, also into a pipe.
    static func flush() { fflush(nil) }

    /// A value as indented JSON with sorted keys.
    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        print(json: try encoder.encode(value))
    }

    /// JSON that this program wrote. Its encoders leave some characters as they are that a terminal would obey; escaped they mean the same.
    static func print(json: Data) { Swift.print(String(decoding: json, as: UTF8.self).printableDocument) }

    private static func write(_ text: String, _ descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
