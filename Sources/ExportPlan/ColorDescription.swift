/// How a source's code values are to be read as colour, with every "unspecified" already decided by the probe.
public struct ColorDescription: Hashable, Sendable, Codable {
    /// Luma coefficients (ITU-T H.273 MatrixCoefficients). `rgb` has none.
    public enum Matrix: String, Hashable, Sendable, Codable { case rgb, bt601, bt709, bt2020 }
    /// ITU-T H.273 ColourPrimaries. `bt601` are those of 525 lines (SMPTE 170M), `bt470bg` those of 625.
    public enum Primaries: String, Hashable, Sendable, Codable { case bt709, bt601, bt470bg, bt2020, displayP3 }
    /// Gamma-encoded SDR, SMPTE ST 2084 (PQ) or ARIB STD-B67 (HLG).
    public enum Transfer: String, Hashable, Sendable, Codable { case sdr, pq, hlg }

    public var matrix: Matrix
    public var primaries: Primaries
    public var transfer: Transfer
    public var isFullRange: Bool

    public init(matrix: Matrix, primaries: Primaries, transfer: Transfer, isFullRange: Bool) {
        self.matrix = matrix
        self.primaries = primaries
        self.transfer = transfer
        self.isFullRange = isFullRange
    }

    /// What every film has that does not keep its sources' colours: BT.709, limited range.
    public static let bt709 = ColorDescription(
        matrix: .bt709, primaries: .bt709, transfer: .sdr, isFullRange: false)

    /// Whether light has to be mapped (HDR or a wide gamut), not only code values.
    public var needsGamutMapping: Bool {
        transfer != .sdr || primaries == .bt2020 || primaries == .displayP3
    }
}

/// Gamma-encoded RGB with straight alpha, each 0...255.
public struct RGBAColor: Hashable, Sendable, Codable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    public var alpha: UInt8

    public static let black = RGBAColor(red: 0, green: 0, blue: 0, alpha: 255)

    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }
}
