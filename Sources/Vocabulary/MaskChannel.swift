/// What of a mask's picture says how much is seen.
public enum MaskChannel: String, CaseIterable, Hashable, Sendable, Codable {
    /// Its opacity.
    case alpha
    /// Its brightness, white being all; where it is transparent it counts as black.
    case luma
}
