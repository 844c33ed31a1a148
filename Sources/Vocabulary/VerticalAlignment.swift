/// The vertical position of captions in the frame.
package enum VerticalAlignment: String, CaseIterable, Hashable, Sendable, Codable {
    case top, middle, bottom
}
