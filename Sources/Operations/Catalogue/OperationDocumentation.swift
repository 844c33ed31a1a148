extension OperationCatalogue {
    /// The text of `docs/operations.md`: every operation with its formula and parameters, as Markdown.
    package static var documentation: String {
        var lines = [
            "# Operations",
            "",
            "Written by the catalogue (`Sources/Operations/Catalogue/OperationCatalogue.swift`); a test compares, and",
            "`SPOOL_RECORD_SNAPSHOTS=1` writes it anew. `spool operations --json` prints the same for programs.",
            "",
            "Formulas work on gamma-encoded red, green and blue (`r`, `g`, `b`; `c` is each of them), 0...1. Results are limited to",
            "0...1 where the chain ends, not between operations. Where a parameter has a neutral value and all such parameters",
            "are at theirs, the operation is left out and the picture stays as it is, bit for bit. Pixel-wise operations that",
            "follow each other run in one pass over the picture.",
            "",
            "| operation | reach | |",
            "|---|---|---|",
        ]
        lines += all.map { "| [`\($0.name)`](#\($0.name.lowercased())) | \($0.reach.rawValue) | \($0.summary) |" }
        for descriptor in all {
            lines += ["", "## \(descriptor.name)", "", descriptor.summary]
            if descriptor.needsSource { lines += ["", "Reads a file: `url`."] }
            lines += [""] + indented(descriptor.formula) + [""]
            lines += ["| parameter | default | neutral | range | unit | |", "|---|---|---|---|---|---|"]
            lines += descriptor.parameters.map { parameter in
                let range = "\(parameter.range.lowerBound.plain)...\(parameter.range.upperBound.plain)"
                let neutral = parameter.neutral?.plain ?? "-"
                return
                    "| `\(parameter.name)` | \(parameter.default.plain) | \(neutral) | \(range) | \(parameter.unit) | \(parameter.meaning) |"
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A formula as an indented block with lines of at most 120 columns.
    private static func indented(_ formula: String) -> [String] {
        var lines: [String] = []
        var line = "   "
        for word in formula.split(separator: " ") {
            if line.count + 1 + word.count > 120 {
                lines.append(line)
                line = "     "
            }
            line += " " + word
        }
        return lines + [line]
    }
}
