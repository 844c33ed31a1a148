public import ExactTime

/// A stretch of the film with a name.
public struct Chapter: Hashable, Sendable, Codable {
    public var timeRange: TimeRange
    public var title: String

    public init(timeRange: TimeRange, title: String) {
        self.timeRange = timeRange
        self.title = title
    }
}

/// A picture file that goes into the film's file as it is.
public struct Cover: Hashable, Sendable, Codable {
    /// Content hash.
    public var source: String

    public init(source: String) {
        self.source = source
    }

    /// libavcodec's names of what a file can have as its cover.
    public static let codecs = ["mjpeg", "png"]
}
