/// The property of a mask's picture that decides the opacity of the masked layer.
package enum MaskChannel: String, CaseIterable, Hashable, Sendable, Codable {
    /// The mask's opacity.
    case alpha
    /// The mask's brightness; white is opaque. Transparent parts count as black.
    case luma
}
