package import ExactTime

/// The HDR metadata of a film, which tells a display about it beside the colours.
package struct HDRMetadata: Hashable, Sendable, Codable {
    package var masteringDisplay: MasteringDisplay?
    package var contentLight: ContentLight?

    /// - Returns: nil where nothing is known.
    package init?(masteringDisplay: MasteringDisplay?, contentLight: ContentLight?) {
        guard masteringDisplay != nil || contentLight != nil else { return nil }
        self.masteringDisplay = masteringDisplay
        self.contentLight = contentLight
    }
}

/// The display on which a film was mastered (SMPTE ST 2086), in the units in which HEVC and MP4 store it. Formats with
/// other units (AV1, Matroska) are converted and give the same numbers.
package struct MasteringDisplay: Hashable, Sendable, Codable {
    /// CIE 1931 xy coordinates.
    package struct Chromaticity: Hashable, Sendable, Codable {
        package var x: Rational
        package var y: Rational

        /// Rounds the coordinates to multiples of 1/50000.
        package init(x: Rational, y: Rational) {
            self.x = x.rounded(to: MasteringDisplay.chromaticitySteps)
            self.y = y.rounded(to: MasteringDisplay.chromaticitySteps)
        }
    }

    /// Steps per unit of a chromaticity coordinate.
    package static let chromaticitySteps = 50_000
    /// Steps per cd/m2.
    package static let luminanceSteps = 10_000

    package var red: Chromaticity
    package var green: Chromaticity
    package var blue: Chromaticity
    package var white: Chromaticity
    /// cd/m2.
    package var minLuminance: Rational
    /// cd/m2.
    package var maxLuminance: Rational

    /// Rounds the numbers to multiples of 1/50000 and of 1/10000 cd/m2.
    package init(
        red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity, minLuminance: Rational,
        maxLuminance: Rational
    ) {
        self.red = red
        self.green = green
        self.blue = blue
        self.white = white
        self.minLuminance = minLuminance.rounded(to: MasteringDisplay.luminanceSteps)
        self.maxLuminance = maxLuminance.rounded(to: MasteringDisplay.luminanceSteps)
    }
}

/// The content light levels of a film (CTA-861.3), in cd/m2.
package struct ContentLight: Hashable, Sendable, Codable {
    /// The light level of the brightest pixel (MaxCLL).
    package var maxContent: Int
    /// The average light level of the brightest frame (MaxFALL).
    package var maxFrameAverage: Int

    package init(maxContent: Int, maxFrameAverage: Int) {
        self.maxContent = maxContent
        self.maxFrameAverage = maxFrameAverage
    }
}

extension Rational {
    /// The nearest multiple of `1 / steps`.
    fileprivate func rounded(to steps: Int) -> Rational { Rational((self * Rational(steps)).rounded) / Rational(steps) }
}
