/// The colours of a film.
package enum ColorRange: String, CaseIterable, Hashable, Sendable, Codable {
    /// Colours are mapped to 8 bits of BT.709.
    case sdr
    /// The film keeps the sources' bit depth and colours.
    case hdr
    /// The same as `sdr`.
    case bt709
    /// Colours are mapped to 8 bits of BT.709's primaries with BT.601's matrix, for equipment of standard definition.
    case bt601
    /// Colours are mapped to 8 bits of Display P3, with BT.709's matrix and gamma.
    case displayP3
}
