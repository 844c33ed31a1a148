/// Where captions stand in the frame's height.
public enum VerticalAlignment: String, CaseIterable, Hashable, Sendable, Codable {
    case top, middle, bottom
}
