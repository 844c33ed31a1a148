public import ExactTime

/// How the samples of a sound segment are made: the sum of its inputs.
public struct SoundProgram: Hashable, Sendable, Codable {
    /// One sound.
    public struct Input: Hashable, Sendable, Codable {
        public var source: String
        /// Where it starts in the segment.
        public var firstSample: Int
        public var sampleCount: Int
        public var voice: VoiceProgram
        /// Multiplied with each other and with every sample.
        public var gains: [GainCurve]
        /// How it steps back while the main track is heard.
        public var duck: SideChainGain?

        public init(
            source: String, firstSample: Int, sampleCount: Int, voice: VoiceProgram, gains: [GainCurve],
            duck: SideChainGain? = nil
        ) {
            self.source = source
            self.firstSample = firstSample
            self.sampleCount = sampleCount
            self.voice = voice
            self.gains = gains
            self.duck = duck
        }
    }

    public var inputs: [Input]

    public init(inputs: [Input]) {
        self.inputs = inputs
    }
}

/// How an input's samples come from its source.
public struct VoiceProgram: Hashable, Sendable, Codable {
    /// Source samples for each sample of the film; 1 takes each as it is.
    public var sourceSamplesPerOutput: Rational
    /// Whether they play in falling order.
    public var reversed: Bool
    /// At speeds that change, pitch with them; nil at one speed.
    public var bend: [AudioSliceInput.Leg]?
    /// Of the time stretcher, where there is one.
    public var stretch: AudioSliceInput.Stretch?

    public init(
        sourceSamplesPerOutput: Rational, reversed: Bool, bend: [AudioSliceInput.Leg]? = nil, stretch: AudioSliceInput.Stretch?
    ) {
        self.sourceSamplesPerOutput = sourceSamplesPerOutput
        self.reversed = reversed
        self.bend = bend
        self.stretch = stretch
    }

    public var isResampled: Bool { sourceSamplesPerOutput != .one }
}
