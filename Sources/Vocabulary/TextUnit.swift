/// The pieces of a text that move one after the other when it is animated.
public enum TextUnit: String, CaseIterable, Hashable, Sendable, Codable {
    /// What a reader takes for one character: with its combining marks, an emoji with its joiners, a ligature as a whole.
    case character
    /// What stands between blanks.
    case word
    /// A line as it is laid out, after wrapping.
    case line
}
