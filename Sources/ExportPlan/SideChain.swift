public import ExactTime

/// How far a sound steps back while another one, the side chain, is heard.
///
/// The gain is 1 away from everything that is heard, `gain` from `attack` before the end of its way down, which is where something begins to be
/// heard, until `hold` after its end; between them it goes along straight lines. Nothing in it depends on what is further away, so a
/// sound that is cut into segments has the gains of the whole.
public struct SideChainGain: Hashable, Sendable, Codable {
    /// 0...1.
    public var gain: Double
    public var attack: MediaTime
    public var hold: MediaTime
    public var release: MediaTime
    /// Root of the mean square of ten milliseconds above which the side chain is heard, in dBFS.
    public var threshold: Double

    public init(gain: Double, attack: MediaTime, hold: MediaTime, release: MediaTime, threshold: Double) {
        self.gain = gain
        self.attack = attack
        self.hold = hold
        self.release = release
        self.threshold = threshold
    }
}

/// What a segment's sounds step back for: the main track, from so long before the segment until so long behind it as it matters.
public struct SideChain: Hashable, Sendable, Codable {
    /// Samples before the segment's first. It begins at a whole number of blocks of the film.
    public var leadIn: Int
    public var sampleCount: Int
    /// Counted from the side chain's own first sample.
    public var inputs: [AudioSliceInput]

    public init(leadIn: Int, sampleCount: Int, inputs: [AudioSliceInput]) {
        self.leadIn = leadIn
        self.sampleCount = sampleCount
        self.inputs = inputs
    }

    /// Samples that are judged together: ten milliseconds.
    public static func blockLength(sampleRate: Int) -> Int { max(1, sampleRate / 100) }
}
