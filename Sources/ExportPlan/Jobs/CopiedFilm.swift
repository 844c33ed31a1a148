package import ExactTime

/// A film with copied ranges: pictures that nothing changes are the sources' own packets and need no encoder.
package struct CopiedFilm: Hashable, Sendable, Codable {
    /// The copied ranges in film order. Unless an edit list cuts them, they consist of whole groups of pictures;
    /// encoded segments fill the gaps between them.
    package var ranges: [CopiedRange]
    /// Whether the film is one copied range that an edit list cuts at any frame.
    package var isCutByEditList: Bool
    /// Whether the sound is copied, too. Where it is not, the mix is encoded as usual.
    package var copiesSound: Bool

    package init(ranges: [CopiedRange], isCutByEditList: Bool, copiesSound: Bool) {
        self.ranges = ranges
        self.isCutByEditList = isCutByEditList
        self.copiesSound = copiesSound
    }

    /// The names of the sources.
    package var sources: Set<String> { Set(ranges.map(\.source)) }

    /// The number of the film's frames that are copied.
    package var frameCount: Int { ranges.reduce(0) { $0 + $1.frameCount } }
}

/// A range of a source whose packets go into the film without being decoded.
package struct CopiedRange: Hashable, Sendable, Codable {
    /// The source's name.
    package var source: String
    /// The range of source time that the film shows.
    package var sourceRange: TimeRange
    /// The number of its first frame in the film.
    package var firstFrame: Int
    /// The number of frames, counted at the film's rate, whatever the source's rate is.
    package var frameCount: Int

    package init(source: String, sourceRange: TimeRange, firstFrame: Int, frameCount: Int) {
        self.source = source
        self.sourceRange = sourceRange
        self.firstFrame = firstFrame
        self.frameCount = frameCount
    }
}
