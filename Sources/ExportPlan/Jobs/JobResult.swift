/// What a job returns beside its artifact.
package struct JobResult: Hashable, Sendable, Codable {
    /// The result of a probe.
    package var facts: SourceFacts?
    /// The explanation of a segment.
    package var explanation: Explanation?
    /// The result of a waveform job.
    package var peaks: SoundPeaks?
    package var cost = JobCost()
    /// Damage in sources that was concealed, in the order in which it was found. Nil where there was none.
    package var warnings: [SourceWarning]?
    /// The sources that a probe's worker has fetched, or knows to be unchanged, by location. Nil where there was none.
    package var fetched: [String: FetchedSource]?

    package init(
        facts: SourceFacts? = nil, explanation: Explanation? = nil, peaks: SoundPeaks? = nil, cost: JobCost = JobCost(),
        warnings: [SourceWarning] = []
    ) {
        self.warnings = warnings.isEmpty ? nil : warnings
        self.facts = facts
        self.explanation = explanation
        self.peaks = peaks
        self.cost = cost
    }
}

/// Where a job's time went, in seconds, and what else it took of its machine.
package struct JobCost: Hashable, Sendable, Codable {
    package var decode = 0.0
    package var compose = 0.0
    package var encode = 0.0
    package var mix = 0.0
    package var stitch = 0.0
    /// What the rendering process took while it did the job; nil where nobody measured it. Earlier versions do not.
    package var usage: JobUsage?

    package init() {}

    /// The seconds of all stages together.
    package var total: Double { decode + compose + encode + mix + stitch }

    package static func + (left: JobCost, right: JobCost) -> JobCost {
        var sum = left
        sum.decode += right.decode
        sum.compose += right.compose
        sum.encode += right.encode
        sum.mix += right.mix
        sum.stitch += right.stitch
        sum.usage = left.usage.map { usage in right.usage.map { usage + $0 } ?? usage } ?? right.usage
        return sum
    }
}

/// What a job took of its machine, to be compared with its `JobDemand`.
package struct JobUsage: Hashable, Sendable, Codable {
    /// The greatest resident size of the rendering process during the job, in bytes.
    package var memory: Int64
    /// Processor time of all threads of the process during the job, in seconds.
    package var processorTime: Double

    package init(memory: Int64, processorTime: Double) {
        self.memory = memory
        self.processorTime = processorTime
    }

    /// The usage of two jobs, one after the other.
    package static func + (left: JobUsage, right: JobUsage) -> JobUsage {
        JobUsage(memory: max(left.memory, right.memory), processorTime: left.processorTime + right.processorTime)
    }
}
