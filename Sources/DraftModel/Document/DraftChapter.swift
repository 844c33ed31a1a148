package import ExactTime
import FoundationEssentials

/// A chapter of the film. It ends where the next chapter begins, or at the end of the film.
package struct DraftChapter: Hashable, Sendable, Encodable {
    /// Its start on the timeline.
    package var start: MediaTime
    package var title: String

    package init(start: MediaTime, title: String) {
        self.start = start
        self.title = title
    }

    init?(_ reader: inout ObjectReader) {
        let start = reader.time("start", atLeast: .zero, required: true)
        let title = reader.string("title", required: true, atMost: DraftLimits.titleBytes)
        guard let start, let title else { return nil }
        self.init(start: start, title: title)
    }
}

/// The cover: a picture that players show for the file.
package struct DraftCover: Hashable, Sendable, Encodable {
    /// The location of a JPEG or PNG file, which is copied into the film unchanged.
    package var url: String

    package init(url: String) {
        self.url = url
    }
}

extension ObjectReader {
    mutating func chapters(_ name: String) -> [DraftChapter]? {
        guard let chapters = array(name, atMost: DraftLimits.chapters, { DraftChapter(&$0) }) else { return nil }
        let indexes = keptIndexes(of: name)
        for (index, pair) in zip(chapters, chapters.dropFirst()).enumerated() where pair.1.start <= pair.0.start {
            let place = indexes.count == chapters.count ? indexes[index + 1] : index + 1
            report("\(name)[\(place)].start", .invalidValue, "must be above that of the chapter before it, \(pair.0.start) s")
        }
        return chapters
    }

    /// A date and time of day in UTC, as in `2026-11-22T10:30:00Z`.
    mutating func instant(_ name: String) -> String? {
        guard let text = string(name) else { return nil }
        // A date that does not exist, such as 30 February, would be formatted as another one.
        guard let date = try? Date(text, strategy: .iso8601), date.formatted(.iso8601) == text, date.timeIntervalSince1970 >= 0
        else {
            report(name, .invalidValue, "must be a time in UTC, as in 2026-11-22T10:30:00Z")
            return nil
        }
        return text
    }
}
