public import ExactTime

/// A film whose pictures are its sources' own packets: what nothing changes needs no encoder.
public struct CopiedFilm: Hashable, Sendable, Codable {
    /// In film order. Between whole groups of pictures stand segments that are encoded.
    public var stretches: [CopiedStretch]
    /// Whether it is one stretch, cut by an edit list at any frame.
    public var isCutByEditList: Bool
    /// Whether the sound goes along. Where it does not, the mix is encoded as ever.
    public var copiesSound: Bool

    public init(stretches: [CopiedStretch], isCutByEditList: Bool, copiesSound: Bool) {
        self.stretches = stretches
        self.isCutByEditList = isCutByEditList
        self.copiesSound = copiesSound
    }

    /// Content hashes.
    public var sources: Set<String> { Set(stretches.map(\.source)) }

    /// Frames that are the sources' own.
    public var frameCount: Int { stretches.reduce(0) { $0 + $1.frameCount } }
}

/// A stretch of a source whose packets go into the film as they are.
public struct CopiedStretch: Hashable, Sendable, Codable {
    /// Content hash.
    public var source: String
    /// Of source time: what the film shows, from its first instant to its last.
    public var sourceRange: TimeRange
    /// In the film.
    public var firstFrame: Int
    /// Frames of the film's rate, whatever the source's is.
    public var frameCount: Int

    public init(source: String, sourceRange: TimeRange, firstFrame: Int, frameCount: Int) {
        self.source = source
        self.sourceRange = sourceRange
        self.firstFrame = firstFrame
        self.frameCount = frameCount
    }
}
