package import DraftModel
package import ExactTime
package import Vocabulary

/// A clip that is being recorded.
package struct Take: Hashable, Sendable, Codable {
    /// The clip's number, from 1, unique in the recording.
    package var number: Int
    package var settings: ClipSettings
    /// How much of the incoming media is recorded, in its own time; nil for all of it.
    package var limit: MediaTime?
}

/// A clip that has been recorded.
package struct RecordedClip: Hashable, Sendable, Codable {
    /// The number of its take.
    package var number: Int
    package var speed: Rational
    package var volume: Double
    package var fileType: FileType
    /// The number of frames of its film.
    package var frameCount: Int
    /// How much of its film plays, in the film's own time: all, or up to the recording's maximum, which then lies
    /// within its last frame.
    package var duration: MediaTime
    /// Whether the clip ends before the end of its last frame.
    package var isCut: Bool

    /// How long the clip plays in the draft.
    package var filmDuration: MediaTime { duration / speed }
}

/// A clip whose recording failed.
package struct LostClip: Hashable, Sendable, Codable {
    /// The number of its take.
    package var number: Int
    package var reason: String
}
