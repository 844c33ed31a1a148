import ExactTime
import ExportPlan

/// Combines the segments and the soundtrack with the stitch that follows them.
func planStitch(
    _ composition: Composition, video: [VideoSegment], audio: [AudioSegment], soundtrack: SoundtrackPlan?,
    bitrate: BitratePlan?, copied: CopiedFilm?, pictures: FilmPicturesPlan?, format: OutputFormat
) -> RenderPlan {
    let stitchKey = contentKey(
        "stitch",
        StitchContent(
            segments: video.map(\.key), soundtrack: soundtrack?.key, frameRate: composition.frameRate,
            container: format.container, subtitles: composition.subtitles, chapters: composition.chapters,
            cover: composition.cover, copied: copied))
    return RenderPlan(
        videoSegments: video, audioSegments: audio, soundtrack: soundtrack,
        stitch: StitchPlan(
            key: stitchKey, frameRate: composition.frameRate, frameCount: composition.frameCount,
            container: format.container, subtitles: composition.subtitles, chapters: composition.chapters,
            cover: composition.cover, copied: copied),
        bitrate: bitrate, pictures: pictures)
}

/// The encoding of the whole soundtrack.
func planSoundtrack(
    _ composition: Composition, _ segments: [AudioSegment], encode: AudioEncodeSettings, _ format: OutputFormat
) -> SoundtrackPlan {
    let sampleCount = composition.duration.rounded(toRate: encode.sampleRate)
    let content = SoundtrackContent(
        segments: segments.map(\.key), encode: encode, sampleCount: sampleCount, mastering: format.mastering,
        filters: format.mixFilters)
    return SoundtrackPlan(
        key: contentKey("soundtrack", content), encode: encode, sampleCount: sampleCount, mastering: format.mastering,
        filters: format.mixFilters)
}

private struct SoundtrackContent: Encodable {
    var segments: [ArtifactKey]
    var encode: AudioEncodeSettings
    var sampleCount: Int
    var mastering: Mastering?
    var filters: [SoundFilter]?
}

private struct StitchContent: Encodable {
    var segments: [ArtifactKey]
    var soundtrack: ArtifactKey?
    var frameRate: FrameRate
    var container: ContainerSettings
    var subtitles: [SubtitleTrack]?
    var chapters: [Chapter]?
    var cover: Cover?
    var copied: CopiedFilm?
}
