/// How sources with more than 8 bits or with HDR are exported.
package enum ColorRange: String, CaseIterable, Hashable, Sendable, Codable {
    /// Colours are mapped to 8 bits of BT.709.
    case sdr
    /// The film keeps the sources' bit depth and colours.
    case hdr
}
