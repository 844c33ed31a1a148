/// A line of progress that is drawn over itself on a terminal: `[######....] 60 %  540/900 frames  45.1 fps  0:08 left`. It never reaches the
/// terminal's last column, because a line that wraps cannot be drawn over. Where there is little room the bar becomes shorter and then goes,
/// and after it the parts that matter least.
public struct ProgressLine: Sendable {
    /// One part of the line.
    public struct Part: Sendable {
        public var text: String
        /// Where not all parts fit, those with the lowest importance go first.
        public var importance: Int

        public init(_ text: String, importance: Int) {
            self.text = text
            self.importance = importance
        }
    }

    /// How much is done, 0...1; nil draws no bar.
    public var fraction: Double?
    /// In the order in which they are shown.
    public var parts: [Part]

    public init(fraction: Double?, parts: [Part]) {
        self.fraction = fraction
        self.parts = parts
    }

    private static let longestBar = 30
    private static let shortestBar = 5

    /// The line on a terminal of so many columns, at least 2.
    public func text(columns: Int) -> String {
        let room = max(1, columns - 1)
        var shown = parts
        while shown.count > 1, ProgressLine.joined(shown).count > room {
            guard let least = shown.indices.min(by: { shown[$0].importance < shown[$1].importance }) else { break }
            shown.remove(at: least)
        }
        let text = String(ProgressLine.joined(shown).prefix(room))
        // Two brackets and a space.
        let length = min(ProgressLine.longestBar, room - text.count - 3)
        guard let fraction, length >= ProgressLine.shortestBar else { return text }
        let filled = Int(min(1, max(0, fraction)) * Double(length))
        return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: length - filled) + "] " + text
    }

    private static func joined(_ parts: [Part]) -> String { parts.map(\.text).joined(separator: "  ") }
}
