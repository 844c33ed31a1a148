package import ExactTime

/// A named range of the film.
package struct Chapter: Hashable, Sendable, Codable {
    package var timeRange: TimeRange
    package var title: String

    package init(timeRange: TimeRange, title: String) {
        self.timeRange = timeRange
        self.title = title
    }
}

/// A picture file that is stored unchanged in the film's file.
package struct Cover: Hashable, Sendable, Codable {
    /// The picture file's content hash.
    package var source: String

    package init(source: String) {
        self.source = source
    }

    /// The codecs that a cover can have, by libavcodec's names.
    package static let codecs = ["mjpeg", "png"]
}
