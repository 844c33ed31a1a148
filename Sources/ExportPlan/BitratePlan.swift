/// How the segments of a film that is to have a size get their bits: each is measured, then all are allocated.
public struct BitratePlan: Hashable, Sendable, Codable {
    /// The segments as they are measured: at one quality. In film order.
    public var measures: [VideoSegment]
    public var allocation: AllocationPlan

    public init(measures: [VideoSegment], allocation: AllocationPlan) {
        self.measures = measures
        self.allocation = allocation
    }
}

/// A film's bits, and who gets of them.
public struct AllocationPlan: Hashable, Sendable, Codable {
    public var key: ArtifactKey
    /// All that the pictures of the film may take.
    public var bits: Int
    /// In film order; a segment that is there twice costs twice.
    public var measures: [ArtifactKey]

    public init(key: ArtifactKey, bits: Int, measures: [ArtifactKey]) {
        self.key = key
        self.bits = bits
        self.measures = measures
    }
}
