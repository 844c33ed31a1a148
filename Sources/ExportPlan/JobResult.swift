/// What a job gives back beside its artifact.
public struct JobResult: Hashable, Sendable, Codable {
    /// Of a probe.
    public var facts: SourceFacts?
    /// Of a picture segment that is explained.
    public var program: SegmentProgram?
    /// Of a sound segment that is explained.
    public var soundProgram: SoundProgram?
    /// Of a waveform.
    public var peaks: SoundPeaks?
    public var cost = JobCost()
    /// What was wrong with sources and was concealed, in the order in which it was found. Nil where nothing was.
    public var warnings: [SourceWarning]?

    public init(
        facts: SourceFacts? = nil, program: SegmentProgram? = nil, soundProgram: SoundProgram? = nil, peaks: SoundPeaks? = nil,
        cost: JobCost = JobCost(), warnings: [SourceWarning] = []
    ) {
        self.warnings = warnings.isEmpty ? nil : warnings
        self.facts = facts
        self.program = program
        self.soundProgram = soundProgram
        self.peaks = peaks
        self.cost = cost
    }
}

/// Where a job's time went, in seconds.
public struct JobCost: Hashable, Sendable, Codable {
    public var decode = 0.0
    public var compose = 0.0
    public var encode = 0.0
    public var mix = 0.0
    public var stitch = 0.0

    public init() {}

    public static func + (left: JobCost, right: JobCost) -> JobCost {
        var sum = left
        sum.decode += right.decode
        sum.compose += right.compose
        sum.encode += right.encode
        sum.mix += right.mix
        sum.stitch += right.stitch
        return sum
    }
}
