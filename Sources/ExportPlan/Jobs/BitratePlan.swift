/// How the segments of a film with a target size get their bits: every segment is measured, then the bits are
/// allocated.
package struct BitratePlan: Hashable, Sendable, Codable {
    /// The segments as they are measured, at one constant quality, in film order.
    package var measures: [VideoSegment]
    package var allocation: AllocationPlan

    package init(measures: [VideoSegment], allocation: AllocationPlan) {
        self.measures = measures
        self.allocation = allocation
    }
}

/// A film's bit budget and the measurements that it is allocated by.
package struct AllocationPlan: Hashable, Sendable, Codable {
    package var key: ArtifactKey
    /// The bits that all pictures of the film together may take; with a limit, at most.
    package var bits: Int
    /// The greatest size of the film's file; nil where only the bits count.
    package var limit: FileSizeLimit?
    /// Keys of the measured segments in film order; a segment that occurs twice counts twice.
    package var measures: [ArtifactKey]

    package init(key: ArtifactKey, bits: Int, measures: [ArtifactKey], limit: FileSizeLimit? = nil) {
        self.limit = limit
        self.key = key
        self.bits = bits
        self.measures = measures
    }
}
