import FoundationEssentials

/// A golden file: `Snapshots/<name>.json` beside the test that uses it.
///
/// `SPOOL_RECORD_SNAPSHOTS=1` writes the files anew. Every test that wrote one fails, so that no one records by
/// accident: look at the difference, then run the tests again without the variable.
package struct Snapshot {
    /// The result of a comparison; a test requires `.matches`.
    package enum Outcome: Equatable {
        case matches
        /// The file was written by this run.
        case recorded
        /// The file does not exist; record it.
        case missing
        /// The first line that differs, counted from 1.
        case differs(line: Int, expected: String, found: String)
    }

    private let path: String

    /// - Parameter testFile: leave it out; by default the snapshots are beside the caller's file.
    package init(_ name: String, testFile: String = #filePath) {
        let folder = testFile.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        path = "\(folder)/Snapshots/\(name).json"
    }

    /// Compares `value`, as JSON with sorted keys and one member a line, with the file.
    /// - Throws: errors of the encoder, and of the file system while recording.
    package func compare(_ value: some Encodable) throws -> Outcome {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let found = String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
        if ProcessInfo.processInfo.environment["SPOOL_RECORD_SNAPSHOTS"] == "1" {
            try Data(found.utf8).write(to: URL(fileURLWithPath: path))
            return .recorded
        }
        guard let data = FileManager.default.contents(atPath: path) else { return .missing }
        return Snapshot.difference(expected: String(decoding: data, as: UTF8.self), found: found)
    }

    private static func difference(expected: String, found: String) -> Outcome {
        guard expected != found else { return .matches }
        let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let foundLines = found.split(separator: "\n", omittingEmptySubsequences: false)
        let same = zip(expectedLines, foundLines).prefix { $0 == $1 }.count
        func line(_ lines: [Substring]) -> String { same < lines.count ? String(lines[same]) : "(end of file)" }
        return .differs(line: same + 1, expected: line(expectedLines), found: line(foundLines))
    }
}
