/// Where the lines of a text stand in its box. Left and right mean what they say in every script.
public enum TextAlignment: String, CaseIterable, Hashable, Sendable, Codable {
    case left, center, right
    /// Both edges are straight: spaces grow. The last line of a paragraph keeps its own width.
    case justified
}
