/// The units of a text that are animated one after the other.
package enum TextUnit: String, CaseIterable, Hashable, Sendable, Codable {
    /// A character as a reader sees it: with combining marks, an emoji with its joiners, or a whole ligature.
    case character
    /// A word between blanks.
    case word
    /// A line of the layout, after wrapping.
    case line
}
