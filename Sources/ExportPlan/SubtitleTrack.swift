public import ExactTime

/// A file of captions as a track of the film.
public struct SubtitleTrack: Hashable, Sendable, Codable {
    /// Content hash.
    public var source: String
    /// The film's time at which time 0 of the file stands.
    public var start: MediaTime
    /// When they are shown, in the film's time.
    public var timeRange: TimeRange
    /// As ISO 639-2 has it.
    public var language: String

    public init(source: String, start: MediaTime, timeRange: TimeRange, language: String) {
        self.source = source
        self.start = start
        self.timeRange = timeRange
        self.language = language
    }
}
