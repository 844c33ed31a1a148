public import ExportPlan

/// One piece of work for one process: everything it needs is in it, but for the store and the sources' bytes.
public enum RenderJob: Hashable, Sendable, Codable {
    /// Finds out about a source.
    case probe(path: String)
    /// Renders and encodes a picture segment into the store.
    case video(segment: VideoSegment, sources: [SourceReference])
    /// Mixes a sound segment into the store.
    case audio(segment: AudioSegment, sources: [SourceReference])
    /// Joins and encodes the sound segments into the store.
    case soundtrack(plan: SoundtrackPlan, segments: [ArtifactKey])
    /// Joins everything into the film at `output`.
    case stitch(plan: StitchPlan, segments: [StitchSegment], soundtrack: ArtifactKey, output: String)
    /// Renders one frame of a segment into a PNG file.
    case picture(slice: VideoSlice, frame: Int, sources: [SourceReference], output: String)
}

/// What the stitch needs to know of a picture segment.
public struct StitchSegment: Hashable, Sendable, Codable {
    public var key: ArtifactKey
    public var frameCount: Int

    public init(key: ArtifactKey, frameCount: Int) {
        self.key = key
        self.frameCount = frameCount
    }
}

/// What a job gives back beside its artifact.
public struct JobResult: Hashable, Sendable, Codable {
    /// Of a probe.
    public var facts: SourceFacts?
    public var cost = JobCost()

    public init(facts: SourceFacts? = nil, cost: JobCost = JobCost()) {
        self.facts = facts
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

/// A failure as it travels between processes.
public struct JobFailure: ClassifiedError, Hashable, Codable {
    public var failureClass: FailureClass
    /// The file, where there is one.
    public var subject: String
    public var message: String

    public init(_ failureClass: FailureClass, subject: String, message: String) {
        self.failureClass = failureClass
        self.subject = subject
        self.message = message
    }

    public var description: String { subject.isEmpty ? message : "'\(subject)' \(message)" }
}
