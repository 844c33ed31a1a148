/// The playlist of one track of a stream in HLS (RFC 8216, section 4.3.3): its segments up to now. Segments are only ever
/// added, until it has its end.
package struct MediaPlaylist: Hashable, Sendable {
    package struct Segment: Hashable, Sendable {
        package var file: String
        /// In seconds.
        package var duration: Double

        package init(file: String, duration: Double) {
            self.file = file
            self.duration = duration
        }
    }

    /// The file with the track's header.
    package var header: String
    package var segments: [Segment]
    /// The longest duration that a segment has or will have, in seconds.
    package var longest: Double
    /// Whether no more segments follow.
    package var isComplete: Bool

    package init(header: String, segments: [Segment], longest: Double, isComplete: Bool) {
        self.header = header
        self.segments = segments
        self.longest = longest
        self.isComplete = isComplete
    }

    package var text: String {
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(max(1, Int(longest.rounded(.up))))",
            "#EXT-X-MEDIA-SEQUENCE:0",
            "#EXT-X-PLAYLIST-TYPE:EVENT", "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-MAP:URI=\"\(header)\"",
        ]
        for segment in segments { lines += ["#EXTINF:\(MediaPlaylist.seconds(segment.duration)),", segment.file] }
        if isComplete { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Seconds with six digits after the point.
    private static func seconds(_ value: Double) -> String {
        let millionths = Int((value * 1e6).rounded())
        let rest = String(millionths % 1_000_000)
        return "\(millionths / 1_000_000)." + String(repeating: "0", count: 6 - rest.count) + rest
    }
}
