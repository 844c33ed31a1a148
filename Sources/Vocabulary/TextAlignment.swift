/// The horizontal alignment of lines in a text's box. Left and right mean the same in every script.
package enum TextAlignment: String, CaseIterable, Hashable, Sendable, Codable {
    case left, center, right
    /// Both edges are straight, because spaces are widened. The last line of a paragraph keeps its width.
    case justified
}
