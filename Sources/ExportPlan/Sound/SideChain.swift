package import ExactTime

/// How far a sound is ducked while another sound, the side chain, is heard.
///
/// The gain is `gain` while the side chain is heard and for `hold` afterwards. It falls from 1 in a straight line
/// during `attack` before the side chain is heard, and rises back to 1 in a straight line during `release` after the
/// hold. Nothing depends on sound further away, so that a sound that is cut into segments has the same gains as the
/// whole.
package struct SideChainGain: Hashable, Sendable, Codable {
    /// The gain while the side chain is heard, 0...1.
    package var gain: Double
    package var attack: MediaTime
    package var hold: MediaTime
    package var release: MediaTime
    /// The RMS level of a block of ten milliseconds above which the side chain counts as heard, in dBFS.
    package var threshold: Double

    package init(gain: Double, attack: MediaTime, hold: MediaTime, release: MediaTime, threshold: Double) {
        self.gain = gain
        self.attack = attack
        self.hold = hold
        self.release = release
        self.threshold = threshold
    }
}

/// The sound that a segment's inputs are ducked for: the main track, from as long before the segment to as long after
/// it as it matters.
package struct SideChain: Hashable, Sendable, Codable {
    /// Samples before the segment's first one. The side chain begins at a multiple of the block length, counted from
    /// the film's start.
    package var leadIn: Int
    package var sampleCount: Int
    /// The inputs, with samples counted from the side chain's own first sample.
    package var inputs: [AudioSliceInput]

    package init(leadIn: Int, sampleCount: Int, inputs: [AudioSliceInput]) {
        self.leadIn = leadIn
        self.sampleCount = sampleCount
        self.inputs = inputs
    }

    /// The number of samples in a block whose level is measured: ten milliseconds.
    package static func blockLength(sampleRate: Int) -> Int { max(1, sampleRate / 100) }
}
