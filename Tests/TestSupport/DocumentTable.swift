import FoundationEssentials

/// A table in one of this repository's documents, for tests that compare it with the numbers of the code.
package enum DocumentTable {
    /// The document or the heading has no such table.
    package struct Missing: Error {
        package var heading: String
    }

    /// The rows of the first table below a heading, without the table's head.
    /// - Parameters:
    ///   - document: the document's path in the repository.
    ///   - heading: the heading's line.
    /// - Returns: the cells of each row, in Markdown.
    package static func rows(of document: String, below heading: String) throws -> [[String]] {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let text = try String(contentsOfFile: root.path + "/" + document, encoding: .utf8)
        let section = text.split(separator: "\n", omittingEmptySubsequences: false).drop { $0 != heading }.dropFirst()
            .prefix { !$0.hasPrefix("## ") }
        let lines = section.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        guard lines.count > 2 else { throw Missing(heading: heading) }
        return lines.dropFirst(2).map { line in
            line.dropFirst().dropLast().split(separator: "|").map { $0.trimmed }
        }
    }

    /// A number as the documents write it: with spaces between thousands, from 10 000 on.
    package static func text(_ number: Int) -> String {
        guard number >= 10_000 else { return "\(number)" }
        let digits = Array("\(number)")
        return digits.indices.map { index in
            (index > 0 && (digits.count - index) % 3 == 0 ? " " : "") + String(digits[index])
        }.joined()
    }

    /// A number of bytes as the documents write it, such as `16 MiB`.
    package static func text(bytes: Int) -> String {
        for (power, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] where bytes >= 1 << power && bytes % (1 << power) == 0 {
            return "\(bytes >> power) \(unit)"
        }
        return "\(text(bytes)) bytes"
    }

    /// A duration as the documents write it, in seconds or, from an hour on, in hours.
    package static func text(_ duration: Duration) -> String {
        let seconds = Int(duration.components.seconds)
        return seconds >= 3600 && seconds % 3600 == 0 ? "\(seconds / 3600) h" : "\(seconds) s"
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
