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

/// Where text goes: results to standard output, everything else to standard error.
enum Terminal {
    static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

    static func error(_ line: String) { write(line + "\n", STDERR_FILENO) }

    /// Text on standard error without a line break, for a progress bar.
    static func status(_ text: String) { write(text, STDERR_FILENO) }

    /// Hands printed text on at once, also into a pipe.
    static func flush() { fflush(nil) }

    /// A value as indented JSON with sorted keys.
    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    private static func write(_ text: String, _ descriptor: Int32) {
        var bytes = Array(text.utf8)
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            bytes.removeFirst(count)
        }
    }
}
