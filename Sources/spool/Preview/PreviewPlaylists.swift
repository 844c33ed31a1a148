import ExactTime
import ExportPlan
import Streaming

/// The preview as a stream in HLS, for players beside the page.
struct PreviewPlaylists {
    private let main: String
    private let pictures: String
    private let sound: String?

    /// - Returns: nil while nothing is known of the tracks.
    init?(_ version: PreviewVersion, _ tracks: (pictures: PreviewMedia.Track?, sound: PreviewMedia.Track?)) {
        guard let shown = tracks.pictures, version.sounds.isEmpty || tracks.sound != nil else { return nil }
        let rate = version.prepared.composition.frameRate.framesPerSecond.doubleValue
        func playlist(_ header: String, _ segments: [MediaPlaylist.Segment]) -> String {
            MediaPlaylist(
                header: "../media/\(header)", segments: segments, longest: segments.map(\.duration).max() ?? 0, isComplete: true
            ).text
        }
        pictures = playlist(
            shown.header, version.pictures.map { .init(file: "../media/\($0.file)", duration: Double($0.frames.count) / rate) })
        sound = tracks.sound.map { track in
            playlist(track.header, version.sounds.map { .init(file: "../media/\($0.file)", duration: $0.duration) })
        }
        let size = version.proxy.size
        main =
            MultivariantPlaylist(
                variants: [
                    .init(
                        file: "pictures.m3u8", codec: shown.codec, size: (size.width, size.height),
                        bandwidth: shown.bitsPerSecond)
                ],
                sounds: tracks.sound.map {
                    [
                        MultivariantPlaylist.Track(
                            file: "sound.m3u8", name: "sound", language: nil, codec: $0.codec, bandwidth: $0.bitsPerSecond)
                    ]
                } ?? [],
                frameRate: rate
            ).text
    }

    func write(to directory: PreviewDirectory) throws {
        try directory.write(pictures.utf8, to: "stream/pictures.m3u8")
        if let sound { try directory.write(sound.utf8, to: "stream/sound.m3u8") }
        try directory.write(main.utf8, to: "stream/main.m3u8")
    }
}
