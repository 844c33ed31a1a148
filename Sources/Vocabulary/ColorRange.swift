/// What becomes of sources that hold more than a BT.709 screen shows.
public enum ColorRange: String, CaseIterable, Hashable, Sendable, Codable {
    /// They are mapped onto 8 bits of BT.709.
    case sdr
    /// They keep their 10 bits and their colours.
    case hdr
}
