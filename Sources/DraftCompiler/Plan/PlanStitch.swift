import ExactTime
import ExportPlan

/// Combines the segments and the soundtrack with the stitch that follows them.
func planStitch(
    _ composition: Composition, video: [VideoSegment], audio: [AudioSegment], soundtrack: SoundtrackPlan?,
    further: [FurtherSoundtrack]?, bitrate: BitratePlan?, copied: CopiedFilm?, pictures: FilmPicturesPlan?,
    format: OutputFormat
) -> RenderPlan {
    let sounds = composition.soundTracks.map { tracks in
        StitchedSounds(
            first: tracks.first?.tags ?? SoundTrackTags(),
            others: zip(tracks.dropFirst(), further ?? []).map { .init(key: $1.plan.key, tags: $0.tags) })
    }
    let tracks = (soundtrack.map { [$0] } ?? []) + (further ?? []).map(\.plan)
    let continuations =
        tracks.contains { $0.parts != nil } ? tracks.map { $0.continuations ?? [] } : nil
    let stitchKey = contentKey(
        "stitch",
        StitchContent(
            segments: video.map(\.key), soundtrack: soundtrack?.key, frameRate: composition.frameRate,
            container: format.container, subtitles: composition.subtitles, chapters: composition.chapters,
            cover: composition.cover, copied: copied, sounds: sounds, soundContinuations: continuations, stream: format.stream))
    var plan = RenderPlan(
        videoSegments: video, audioSegments: audio, soundtrack: soundtrack,
        stitch: StitchPlan(
            key: stitchKey, frameRate: composition.frameRate, frameCount: composition.frameCount,
            container: format.container, subtitles: composition.subtitles, chapters: composition.chapters,
            cover: composition.cover, copied: copied),
        bitrate: bitrate, pictures: pictures)
    plan.furtherSoundtracks = further
    plan.stitch.sounds = sounds
    plan.stitch.stream = format.stream
    plan.stitch.soundContinuations = continuations
    return plan
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
    var sounds: StitchedSounds?
    var soundContinuations: [[SoundContinuation]]?
    var stream: StreamPlan?
}
