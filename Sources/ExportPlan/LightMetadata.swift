public import ExactTime

/// What an HDR film tells the screen that shows it, beside its colours.
public struct LightMetadata: Hashable, Sendable, Codable {
    public var masteringDisplay: MasteringDisplay?
    public var contentLight: ContentLight?

    /// - Returns: nil where nothing is known.
    public init?(masteringDisplay: MasteringDisplay?, contentLight: ContentLight?) {
        guard masteringDisplay != nil || contentLight != nil else { return nil }
        self.masteringDisplay = masteringDisplay
        self.contentLight = contentLight
    }
}

/// The screen on which a film was mastered (SMPTE ST 2086), in the steps in which HEVC and MP4 store it: files that count in others
/// (AV1, Matroska) give the same numbers again.
public struct MasteringDisplay: Hashable, Sendable, Codable {
    /// CIE 1931 coordinates.
    public struct Chromaticity: Hashable, Sendable, Codable {
        public var x: Rational
        public var y: Rational

        /// Rounded to the step.
        public init(x: Rational, y: Rational) {
            self.x = x.rounded(to: MasteringDisplay.chromaticitySteps)
            self.y = y.rounded(to: MasteringDisplay.chromaticitySteps)
        }
    }

    /// In 1, of coordinates.
    public static let chromaticitySteps = 50_000
    /// In 1 cd/m2.
    public static let luminanceSteps = 10_000

    public var red: Chromaticity
    public var green: Chromaticity
    public var blue: Chromaticity
    public var white: Chromaticity
    /// cd/m2.
    public var minLuminance: Rational
    /// cd/m2.
    public var maxLuminance: Rational

    /// Rounded to the step.
    public init(
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

/// How bright a film becomes (CTA-861.3), in cd/m2.
public struct ContentLight: Hashable, Sendable, Codable {
    /// The brightest pixel of all: MaxCLL.
    public var maxContent: Int
    /// The brightest frame, on average: MaxFALL.
    public var maxFrameAverage: Int

    public init(maxContent: Int, maxFrameAverage: Int) {
        self.maxContent = maxContent
        self.maxFrameAverage = maxFrameAverage
    }
}

extension Rational {
    /// To a fraction of one.
    fileprivate func rounded(to steps: Int) -> Rational { Rational((self * Rational(steps)).rounded) / Rational(steps) }
}
