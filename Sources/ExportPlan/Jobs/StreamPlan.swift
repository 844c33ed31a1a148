import Vocabulary

/// The renditions of a stream: the same film in several sizes, among which players choose.
package struct StreamPlan: Hashable, Sendable, Codable {
    /// The sizes of the pictures, the largest first. The picture segments have a track for each.
    package var renditions: [FrameSize]
    /// Every so many frames of a picture segment, from the first on, one is a keyframe in all renditions.
    package var keyframeSpacing: Int

    package init(renditions: [FrameSize], keyframeSpacing: Int) {
        self.renditions = renditions
        self.keyframeSpacing = keyframeSpacing
    }
}

extension StitchPlan {
    /// The names of a stream's files; empty for other films.
    /// - Parameter soundCount: the number of sound tracks.
    package func streamFiles(soundCount: Int) -> [String] {
        guard let stream else { return [] }
        let pictures = stream.renditions.map { StreamNames.pictures($0.shorterSide) }
        let sounds = (0..<soundCount).map(StreamNames.sound)
        let subtitles = (subtitles ?? []).indices.map(StreamNames.subtitles)
        return ["m3u8", "mpd"].map { "\(StreamNames.main).\($0)" }
            + pictures.flatMap { ["\($0).m3u8", "\(StreamNames.keyframes(of: $0)).m3u8", "\($0).mp4"] }
            + sounds.flatMap { ["\($0).m3u8", "\($0).mp4"] } + subtitles.flatMap { ["\($0).m3u8", "\($0).vtt"] }
    }
}

extension FrameSize {
    /// The shorter side in pixels, by which renditions are named.
    package var shorterSide: Int { min(width, height) }
}
