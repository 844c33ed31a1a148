/// A progress line that is redrawn in place on a terminal: `[######....] 60 %  540/900 frames  45.1 fps  0:08 left`. It
/// never reaches the terminal's last column, because a line that wraps cannot be redrawn. When there is little width the
/// bar shrinks, then disappears, and after it the parts of least importance.
package struct ProgressLine: Sendable {
    /// One part of the line.
    package struct Part: Sendable {
        package var text: String
        /// The rank of the part: when not all parts fit, those with the lowest importance are left out first.
        package var importance: Int

        package init(_ text: String, importance: Int) {
            self.text = text
            self.importance = importance
        }
    }

    /// How much is done, 0...1; nil draws no bar.
    package var fraction: Double?
    /// The parts in the order in which they are shown.
    package var parts: [Part]

    package init(fraction: Double?, parts: [Part]) {
        self.fraction = fraction
        self.parts = parts
    }

    private static let longestBar = 30
    private static let shortestBar = 5

    /// The line for a terminal with `columns` columns, at least 2.
    package func text(columns: Int) -> String {
        let width = max(1, columns - 1)
        var shown = parts
        while shown.count > 1, ProgressLine.joined(shown).count > width {
            guard let least = shown.indices.min(by: { shown[$0].importance < shown[$1].importance }) else { break }
            shown.remove(at: least)
        }
        let text = String(ProgressLine.joined(shown).prefix(width))
        // Three columns are for two brackets and a space.
        let length = min(ProgressLine.longestBar, width - text.count - 3)
        guard let fraction, length >= ProgressLine.shortestBar else { return text }
        let filled = Int(min(1, max(0, fraction)) * Double(length))
        return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: length - filled) + "] " + text
    }

    private static func joined(_ parts: [Part]) -> String { parts.map(\.text).joined(separator: "  ") }
}
