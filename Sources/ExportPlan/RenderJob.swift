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
    /// Joins everything into the film: a file at `output`, or without one an artifact of the store.
    case stitch(plan: StitchPlan, segments: [StitchSegment], soundtrack: ArtifactKey, output: String?)
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
