public import ExactTime

/// A stretch of a source whose packets go into the film as they are: what nothing changes needs no encoder.
public struct CopiedStretch: Hashable, Sendable, Codable {
    /// Content hash.
    public var source: String
    /// Of source time: what the film shows, from its first instant to its last.
    public var sourceRange: TimeRange
    /// Whether the sound goes along. Where it does not, the mix is encoded as ever.
    public var copiesSound: Bool

    public init(source: String, sourceRange: TimeRange, copiesSound: Bool) {
        self.source = source
        self.sourceRange = sourceRange
        self.copiesSound = copiesSound
    }
}
