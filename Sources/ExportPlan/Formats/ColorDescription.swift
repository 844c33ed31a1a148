/// How a source's code values are read as colour. The probe has already decided every "unspecified" value.
package struct ColorDescription: Hashable, Sendable, Codable {
    /// Luma coefficients (ITU-T H.273 MatrixCoefficients). `rgb` has none.
    package enum Matrix: String, Hashable, Sendable, Codable { case rgb, bt601, bt709, bt2020 }
    /// ITU-T H.273 ColourPrimaries. `bt601` are those of 525 lines (SMPTE 170M), `bt470bg` those of 625.
    package enum Primaries: String, Hashable, Sendable, Codable { case bt709, bt601, bt470bg, bt2020, displayP3 }
    /// Gamma-encoded SDR, SMPTE ST 2084 (PQ) or ARIB STD-B67 (HLG).
    package enum Transfer: String, Hashable, Sendable, Codable { case sdr, pq, hlg }

    package var matrix: Matrix
    package var primaries: Primaries
    package var transfer: Transfer
    package var isFullRange: Bool

    package init(matrix: Matrix, primaries: Primaries, transfer: Transfer, isFullRange: Bool) {
        self.matrix = matrix
        self.primaries = primaries
        self.transfer = transfer
        self.isFullRange = isFullRange
    }

    /// The colours of every film that does not keep its sources' colours: BT.709, limited range.
    package static let bt709 = ColorDescription(
        matrix: .bt709, primaries: .bt709, transfer: .sdr, isFullRange: false)

    /// Whether the light itself has to be mapped for a film of these primaries (from HDR, or from another gamut), and not
    /// only the code values.
    package func needsGamutMapping(to primaries: Primaries) -> Bool {
        transfer != .sdr || self.primaries.gamut != primaries.gamut
    }
}

extension ColorDescription.Primaries {
    /// The primaries whose colours these are taken for. Standard definition's differ from BT.709's by less than can be
    /// seen, and are not converted, as players do not convert them.
    package var gamut: ColorDescription.Primaries {
        switch self {
        case .bt709, .bt601, .bt470bg: .bt709
        case .bt2020, .displayP3: self
        }
    }
}

/// Gamma-encoded RGB with straight alpha, each 0...255.
package struct RGBAColor: Hashable, Sendable, Codable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
    package var alpha: UInt8

    package static let black = RGBAColor(red: 0, green: 0, blue: 0, alpha: 255)

    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }
}
