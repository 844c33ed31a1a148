/// The playlist of one track of a stream in HLS (RFC 8216, section 4.3.3): its segments up to now. The playlist of a
/// film that is being rendered only grows, until it has its end.
package struct MediaPlaylist: Hashable, Sendable {
    package struct Segment: Hashable, Sendable {
        package var file: String
        /// In seconds.
        package var duration: Double
        /// The bytes of the file that are the segment; nil for all of them.
        package var range: Range<Int>?

        package init(file: String, duration: Double, range: Range<Int>? = nil) {
            self.file = file
            self.duration = duration
            self.range = range
        }
    }

    package enum Kind: Hashable, Sendable {
        /// The segments of a film that is rendered.
        case growing
        /// All segments of a film.
        case whole
        /// The keyframes of a film, without the pictures between them.
        case keyframes
    }

    package var kind = Kind.growing
    /// The file with the track's header; nil where segments need none.
    package var header: String?
    /// The bytes of that file that are the header; nil for all of them.
    package var headerRange: Range<Int>?
    package var segments: [Segment]
    /// The longest duration that a segment has or will have, in seconds.
    package var longest: Double
    /// Whether no more segments follow.
    package var isComplete: Bool

    package init(header: String?, segments: [Segment], longest: Double, isComplete: Bool) {
        self.header = header
        self.segments = segments
        self.longest = longest
        self.isComplete = isComplete
    }

    package var text: String {
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(max(1, Int(longest.rounded(.up))))",
            "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:\(kind == .growing ? "EVENT" : "VOD")",
            kind == .keyframes ? "#EXT-X-I-FRAMES-ONLY" : "#EXT-X-INDEPENDENT-SEGMENTS",
        ]
        if let header {
            let bytes = headerRange.map { ",BYTERANGE=\"\(MediaPlaylist.bytes($0))\"" } ?? ""
            lines.append("#EXT-X-MAP:URI=\"\(header)\"\(bytes)")
        }
        for segment in segments {
            lines.append("#EXTINF:\(MediaPlaylist.seconds(segment.duration)),")
            if let range = segment.range { lines.append("#EXT-X-BYTERANGE:\(MediaPlaylist.bytes(range))") }
            lines.append(segment.file)
        }
        if isComplete { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The number of bytes, and where they begin.
    private static func bytes(_ range: Range<Int>) -> String { "\(range.count)@\(range.lowerBound)" }

    /// Seconds with six digits after the point.
    private static func seconds(_ value: Double) -> String {
        let millionths = Int((value * 1e6).rounded())
        let rest = String(millionths % 1_000_000)
        return "\(millionths / 1_000_000)." + String(repeating: "0", count: 6 - rest.count) + rest
    }
}
