package import ExactTime

/// A caption file as a subtitle track of the film.
package struct SubtitleTrack: Hashable, Sendable, Codable {
    /// The file's content hash.
    package var source: String
    /// The film's time of the file's time 0.
    package var start: MediaTime
    /// When subtitles are shown, in the film's time.
    package var timeRange: TimeRange
    /// An ISO 639-2 language code.
    package var language: String

    package init(source: String, start: MediaTime, timeRange: TimeRange, language: String) {
        self.source = source
        self.start = start
        self.timeRange = timeRange
        self.language = language
    }
}
