/// What the renderer has taken of media that come once.
public struct CapturedMedia: Hashable, Sendable, Codable {
    public var byteCount: Int
    /// Whether it was the limit that ended it, and not the input.
    public var reachedLimit: Bool

    public init(byteCount: Int, reachedLimit: Bool) {
        self.byteCount = byteCount
        self.reachedLimit = reachedLimit
    }
}
