package import Vocabulary

/// A part of a text with a style of its own. What it does not give is the text's; lengths are in pixels of `videoSize`.
package struct TextRun: Hashable, Sendable, Encodable {
    package var text: String
    /// A Pango font description of what differs from the text's font: `Bold`, `Italic 60`, `Serif`.
    package var font: String?
    package var color: Color?
    /// The colour behind the letters, from the top to the bottom of their line.
    package var backgroundColor: Color?
    package var stroke: LineStyle?
    package var letterSpacing: Double?
    package var underline: Bool?
    package var strikethrough: Bool?
    /// How far the letters stand above the line.
    package var baselineOffset: Double?
    /// Smaller letters above or below the line.
    package var script: TextScript?

    package init(text: String) {
        self.text = text
    }
}

extension TextRun {
    init?(_ reader: inout ObjectReader) {
        let text = reader.longText("text", required: true, atMost: DraftLimits.textBytes)
        self.init(text: text ?? "")
        font = reader.string("font")
        color = reader.color("color")
        backgroundColor = reader.color("backgroundColor")
        stroke = reader.object("stroke") { LineStyle(&$0) }
        letterSpacing = reader.double("letterSpacing", in: TextNumber.letterSpacing.range)
        underline = reader.bool("underline")
        strikethrough = reader.bool("strikethrough")
        baselineOffset = reader.double("baselineOffset", in: -1000...1000)
        script = reader.choice("script", TextScript.self)
        guard text != nil else { return nil }
    }
}

extension ObjectReader {
    /// Reads the `runs` of a text, which stand in the place of its `text`.
    mutating func textRuns() -> [TextRun]? {
        guard value("runs") != nil else { return nil }
        if value("text") != nil { report("runs", .conflict, "cannot be combined with text; leave one out") }
        let runs = array("runs", atMost: DraftLimits.textRuns) { TextRun(&$0) }
        if let runs, runs.isEmpty, keptIndexes(of: "runs").isEmpty {
            report("runs", .outOfRange, "must be 1...\(DraftLimits.textRuns) runs")
        }
        let length = (runs ?? []).reduce(0) { $0 + $1.text.utf8.count }
        if length > DraftLimits.textBytes {
            report("runs", .outOfRange, "have \(length) bytes of text; \(DraftLimits.textBytes) are the most")
        }
        return runs
    }
}
