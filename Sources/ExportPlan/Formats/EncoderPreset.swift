package import Vocabulary

/// How many frames libx264 and libx265 hold with a preset, and how many they encode at once. `Media` sets up the
/// encoders with these numbers, and `DemandPrediction` computes memory from them.
package enum EncoderPreset {
    /// How many pictures libx264 and libx265 encode at once, each in a thread of its own. The number is fixed on every
    /// machine, because another one gives other bytes; see docs/decisions/0052-two-encoder-threads.md.
    package static let threads = 2

    /// The number of frames of rate-control lookahead: the preset's own, limited to 32 megapixels of frames, but not to
    /// fewer than 10 frames. libx264 keeps 6.75 MB for each 1080p frame of lookahead; see
    /// docs/decisions/0005-lookahead-and-memory.md. libx265 gets at least 8 frames.
    package static func lookahead(_ codec: VideoCodec, _ speed: String, _ size: FrameSize) -> Int {
        let presets = [
            "ultrafast": 0, "superfast": 0, "veryfast": 10, "faster": 20, "fast": 30, "medium": 40, "slow": 50,
        ]
        // A size that nobody has checked may be too large for the product to be an integer.
        let (pixels, isTooLarge) = size.width.multipliedReportingOverflow(by: size.height)
        let frames = min(presets[speed] ?? 60, max(10, isTooLarge ? 0 : 32_000_000 / max(1, pixels)))
        return codec == .hevc ? max(frames, 8) : frames
    }

    /// How many pictures libx264 and libx265 decode before they show the first one, where they reorder pictures and a segment
    /// has more of them.
    package static let mostReordered = 2

    /// The presets of libx264 that are used without what costs up to a fifth of their time and saves about 1 % of the bytes:
    /// macroblocks of B-pictures are not split into 8x8 blocks, and the blocks of a macroblock have one reference picture;
    /// see docs/decisions/0062-costly-analysis.md.
    package static let withoutCostlyAnalysis: Set = ["faster", "fast", "medium"]

    /// The number of reference frames.
    package static func referenceFrames(_ codec: VideoCodec, _ speed: String) -> Int {
        let references =
            codec == .h264
            ? ["slow": 5, "slower": 8, "veryslow": 16, "placebo": 16] : ["slower": 5, "veryslow": 5, "placebo": 5]
        return references[speed] ?? 3
    }
}
