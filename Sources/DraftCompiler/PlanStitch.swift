import ExactTime
import ExportPlan

/// Puts the jobs of both kinds together with the two that follow them.
func planStitch(
    _ composition: Composition, video: [VideoSegment], audio: [AudioSegment], bitrate: BitratePlan?, format: OutputFormat
) -> RenderPlan {
    let sampleCount = composition.duration.rounded(toRate: format.audio.sampleRate)
    let soundtrackKey = contentKey(
        "soundtrack",
        SoundtrackContent(
            segments: audio.map(\.key), encode: format.audio, sampleCount: sampleCount, mastering: format.mastering))
    let stitchKey = contentKey(
        "stitch",
        StitchContent(
            segments: video.map(\.key), soundtrack: soundtrackKey, frameRate: composition.frameRate,
            container: format.container, subtitles: composition.subtitles, chapters: composition.chapters,
            cover: composition.cover))
    return RenderPlan(
        videoSegments: video, audioSegments: audio,
        soundtrack: SoundtrackPlan(
            key: soundtrackKey, encode: format.audio, sampleCount: sampleCount, mastering: format.mastering),
        stitch: StitchPlan(
            key: stitchKey, frameRate: composition.frameRate, frameCount: composition.frameCount,
            container: format.container, subtitles: composition.subtitles, chapters: composition.chapters,
            cover: composition.cover),
        bitrate: bitrate)
}

private struct SoundtrackContent: Encodable {
    var segments: [ArtifactKey]
    var encode: AudioEncodeSettings
    var sampleCount: Int
    var mastering: Mastering?
}

private struct StitchContent: Encodable {
    var segments: [ArtifactKey]
    var soundtrack: ArtifactKey
    var frameRate: FrameRate
    var container: ContainerSettings
    var subtitles: [SubtitleTrack]?
    var chapters: [Chapter]?
    var cover: Cover?
}
