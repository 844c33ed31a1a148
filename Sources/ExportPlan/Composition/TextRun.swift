package import Vocabulary

/// A part of a text with a style of its own. What is nil is the text's. All lengths are canvas pixels.
package struct TextRun: Hashable, Sendable, Codable {
    /// The number of bytes of the text in UTF-8.
    package var byteCount: Int
    /// A Pango font description of what differs from the text's font.
    package var font: String?
    /// The colour of letters and lines, which also stands in the place of the text's gradient.
    package var color: RGBAColor?
    /// The colour behind the letters, from the top to the bottom of their line.
    package var background: RGBAColor?
    package var stroke: Stroke?
    package var letterSpacing: Double?
    package var isUnderlined: Bool?
    package var isStruckThrough: Bool?
    /// How far the letters stand above the line.
    package var baselineOffset: Double?
    package var script: TextScript?

    package init(byteCount: Int, font: String? = nil, script: TextScript? = nil) {
        self.byteCount = byteCount
        self.font = font
        self.script = script
    }

    /// What decides in which fonts the run is drawn.
    package var fontsOnly: TextRun { TextRun(byteCount: byteCount, font: font, script: script) }
}
