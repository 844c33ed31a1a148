/// The container of streams for players that load a film in parts (docs/decisions/0060-stream-files.md).
extension ContainerFormat {
    /// HTTP Live Streaming (RFC 8216) and MPEG-DASH (ISO/IEC 23009-1) of the same files: a fragmented MP4 file for each
    /// rendition and each soundtrack (ISO/IEC 23000-19, "CMAF"), and the playlists that name them.
    static let hls = ContainerFormat(
        type: FileType(entry: "hls"), name: "HLS and DASH", mediaType: "application/x-tar",
        signatures: [ContainerSignature([0: "\(StreamNames.main).\(StreamNames.playlist)\0"])], content: .stream,
        structure: .archive, muxer: "mp4",
        videoCodecs: [.h264, .hevc], audioCodec: .aac, chapters: nil, subtitles: .webVTT)
}

/// The names of the files of a stream.
package enum StreamNames {
    /// The name of the playlists that players open, without their suffixes `m3u8` and `mpd`.
    package static let main = "main"
    /// The suffix of playlists, without a dot.
    package static let playlist = "m3u8"

    /// - Parameter shorterSide: of the rendition's pictures, in pixels, such as 720.
    package static func pictures(_ shorterSide: Int) -> String { "pictures-\(shorterSide)" }
    /// - Parameter number: of the soundtrack, from 0.
    package static func sound(_ number: Int) -> String { "sound-\(number)" }
    /// - Parameter number: of the subtitle track, from 0.
    package static func subtitles(_ number: Int) -> String { "subtitles-\(number)" }
    /// The playlist of the keyframes of pictures, for players that search.
    package static func keyframes(of pictures: String) -> String { "\(pictures)-keyframes" }

    /// Whether a file of a stream may have a name.
    /// - Parameter suffix: without a dot.
    package static func isName(_ stem: String, suffix: String) -> Bool {
        if stem == main { return [playlist, "mpd"].contains(suffix) }
        var words = stem.split(separator: "-", omittingEmptySubsequences: false)[...]
        let kind = words.popFirst()
        guard let number = words.popFirst(), !number.isEmpty, number.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return false
        }
        switch kind {
        case "pictures": return words == ["keyframes"] ? suffix == playlist : words.isEmpty && [playlist, "mp4"].contains(suffix)
        case "sound": return words.isEmpty && [playlist, "mp4"].contains(suffix)
        case "subtitles": return words.isEmpty && [playlist, "vtt"].contains(suffix)
        default: return false
        }
    }
}
