public import DraftModel
public import ExactTime
public import Vocabulary

/// A clip on its way.
public struct Take: Hashable, Sendable, Codable {
    /// From 1, unique in the recording.
    public var number: Int
    public var settings: ClipSettings
    /// How much of what comes in is recorded, in its own time; nil for all of it.
    public var limit: MediaTime?
}

/// A clip that is there.
public struct RecordedClip: Hashable, Sendable, Codable {
    /// Of its take.
    public var number: Int
    public var speed: Rational
    public var volume: Double
    public var fileType: FileType
    /// Of its film.
    public var frameCount: Int
    /// What of its film plays, in its own time: all, or up to the recording's maximum within its last frame.
    public var duration: MediaTime
    /// Whether that ends before the last frame does.
    public var isCut: Bool

    /// How long it plays in the draft.
    public var filmDuration: MediaTime { duration / speed }
}

/// A clip that came to nothing.
public struct LostClip: Hashable, Sendable, Codable {
    /// Of its take.
    public var number: Int
    public var reason: String
}
