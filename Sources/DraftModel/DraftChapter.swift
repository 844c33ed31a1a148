public import ExactTime

/// Where a chapter of the film begins; it ends where the next one does, or the film.
public struct DraftChapter: Hashable, Sendable, Encodable {
    /// On the timeline.
    public var start: MediaTime
    public var title: String

    public init(start: MediaTime, title: String) {
        self.start = start
        self.title = title
    }

    init?(_ reader: inout ObjectReader) {
        let start = reader.time("start", atLeast: .zero, required: true)
        let title = reader.string("title", required: true)
        guard let start, let title else { return nil }
        self.init(start: start, title: title)
    }
}

/// A picture that players show for the file.
public struct DraftCover: Hashable, Sendable, Encodable {
    /// A JPEG or PNG file, which goes into the film as it is.
    public var url: String

    public init(url: String) {
        self.url = url
    }
}

extension ObjectReader {
    mutating func chapters(_ name: String) -> [DraftChapter]? {
        guard let chapters = array(name, { DraftChapter(&$0) }) else { return nil }
        for (index, pair) in zip(chapters, chapters.dropFirst()).enumerated() where pair.1.start <= pair.0.start {
            report("\(name)[\(index + 1)].start", .invalidValue, "must be above the one before it, \(pair.0.start) s")
        }
        return chapters
    }

    /// A date and time of day in UTC, as in `2026-11-22T10:30:00Z`.
    mutating func instant(_ name: String) -> String? {
        guard let text = string(name) else { return nil }
        let shape = text.map { $0.isASCII && $0.isNumber ? "0" : $0 }
        let parts = text.split { !$0.isNumber }.compactMap { Int($0) }
        guard String(shape) == "0000-00-00T00:00:00Z", (1970...2100).contains(parts[0]), (1...12).contains(parts[1]),
            (1...31).contains(parts[2]), parts[3] < 24, parts[4] < 60, parts[5] < 60
        else {
            report(name, .invalidValue, "must be a time in UTC, as in 2026-11-22T10:30:00Z")
            return nil
        }
        return text
    }
}
