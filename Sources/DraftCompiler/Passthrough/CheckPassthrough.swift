import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// Reports everything that prevents passthrough for a draft.
func checkPassthrough(
    _ draft: Draft, _ composition: Composition, _ settings: ExportSettings, facts: [String: SourceFacts],
    _ diagnostics: inout Diagnostics
) {
    let known = diagnostics.errorCount
    checkCodecs(draft, settings.decidedFileType.format, facts, &diagnostics)
    guard let shown = shownSources(composition, facts: facts), shown.count == draft.mainTrackClips.count else {
        return checkChanges(draft, composition, facts, &diagnostics)
    }
    checkJoinable(shown, settings.decidedFileType.format, &diagnostics)
    let isCutByEditList = shown.count == 1 && settings.decidedFileType.format.hasEditLists
    for (index, clip) in shown.enumerated() {
        checkEdges(clip, "mainTrackClips[\(index)]", isCutByEditList, composition, settings, &diagnostics)
    }
    guard diagnostics.errorCount == known else { return }
    let format = OutputFormat(settings: settings, draft: draft, frameRate: composition.frameRate, facts: facts)
    if planPassthrough(composition, settings, format, facts: facts) == nil {
        diagnostics.report(
            "mainTrackClips", .conflict,
            "show no whole group of pictures, which is the least that can be copied"
                + (shown.count == 1 ? "; choose mp4 or mov" : "; export with another preset"))
    }
}

private func checkCodecs(
    _ draft: Draft, _ container: ContainerFormat, _ facts: [String: SourceFacts], _ diagnostics: inout Diagnostics
) {
    for (index, clip) in draft.mainTrackClips.enumerated() {
        guard let video = facts[clip]?.video, !video.isStill, !container.copiedCodecs.contains(video.codec) else { continue }
        diagnostics.report(
            "mainTrackClips[\(index)].url", .conflict,
            "has pictures in \(video.codec), which passthrough cannot copy into a \(container.type) file, but "
                + container.copiedCodecs.joined(separator: ", "))
    }
}

/// Reports everything that is drawn over the pictures or that changes them.
private func checkChanges(
    _ draft: Draft, _ composition: Composition, _ facts: [String: SourceFacts], _ diagnostics: inout Diagnostics
) {
    let known = diagnostics.errorCount
    let remedy = "which passthrough copies unchanged; leave it out, or export with another preset"
    for change in pictureChanges(draft) { diagnostics.report(change, .conflict, "changes the pictures, \(remedy)") }
    for (index, clip) in draft.mainTrackClips.enumerated() {
        guard let video = facts[clip]?.video, !video.isStill else { continue }
        // If the draft gives no size or rate, the first clip decides.
        if video.displaySize != composition.canvas {
            index == 0
                ? diagnostics.report(
                    "videoSize", .conflict, "must be \(video.displaySize), the size of the pictures that passthrough copies")
                : diagnostics.report(
                    "mainTrackClips[\(index)].url", .conflict,
                    "has pictures of \(video.displaySize), which passthrough cannot make \(composition.canvas)")
        }
        if video.frameRate != composition.frameRate {
            index == 0
                ? diagnostics.report(
                    "frameRate", .conflict, "must be \(video.frameRate), the rate of the pictures that passthrough copies")
                : diagnostics.report(
                    "mainTrackClips[\(index)].url", .conflict,
                    "has \(video.frameRate) frames a second, which passthrough cannot make \(composition.frameRate)")
        }
    }
    if diagnostics.errorCount == known {
        diagnostics.report(
            "mainTrackClips", .conflict, "are changed before they are shown; export with another preset than passthrough")
    }
}

/// Checks that the clips can be joined: one decoder must be able to decode all of them.
private func checkJoinable(_ shown: [ShownSource], _ container: ContainerFormat, _ diagnostics: inout Diagnostics) {
    guard let first = shown.first?.video else { return }
    for (index, clip) in shown.enumerated().dropFirst() {
        let video = clip.video
        let differences = [
            ("codec", video.codec != first.codec), ("pixel format", video.pixelFormat != first.pixelFormat),
            ("colours", video.color != first.color), ("orientation", video.orientation != first.orientation),
            ("pixel aspect ratio", video.sampleAspectRatio != first.sampleAspectRatio),
            // Containers without edit lists can carry other parameter sets before each keyframe. VP9 has none.
            (
                "parameter sets",
                video.packets?.setup != first.packets?.setup
                    && (container.hasEditLists || !["h264", "hevc", "vp9"].contains(video.codec))
            ),
        ].filter(\.1).map(\.0)
        guard !differences.isEmpty else { continue }
        diagnostics.report(
            "mainTrackClips[\(index)].url", .conflict,
            "cannot be copied after mainTrackClips[0], from which it differs in \(differences.joined(separator: ", ")); "
                + "export with another preset")
    }
}

/// Checks that a clip can be cut where the draft cuts it.
///
/// A copy can be cut at any frame in two cases: an edit list makes the cut and decoders honour it, or the frames beside
/// whole groups of pictures can be encoded like the copied ones.
private func checkEdges(
    _ clip: ShownSource, _ place: String, _ isCutByEditList: Bool, _ composition: Composition, _ settings: ExportSettings,
    _ diagnostics: inout Diagnostics
) {
    let video = clip.video
    if isCutByEditList, video.codec != "av1" { return }
    let container = settings.decidedFileType.format
    if !isCutByEditList, video.isVariableFrameRate {
        return diagnostics.report(
            "\(place).url", .conflict,
            "has a variable frame rate: passthrough copies only a single such clip, into mp4 or mov")
    }
    if !container.hasEditLists, video.orientation != .upright {
        return diagnostics.report(
            "\(place).url", .conflict,
            "has pictures that are rotated, which a \(container.type) file cannot describe; choose "
                + FormatCatalogue.names(where: \.hasEditLists)
        )
    }
    // Parameter sets would have to stand in the stream, between the pictures. MP4 and MOV files keep them in the header
    // only.
    if container.hasEditLists, !isCutByEditList, video.codec == "hevc" {
        let others = FormatCatalogue.names { !$0.hasEditLists && $0.copiedCodecs.contains("hevc") }
        return diagnostics.report(
            "\(place).url", .conflict,
            "is HEVC, and passthrough joins HEVC clips only in \(others); choose \(others), or another preset")
    }
    let whole = clip.wholeGroups(composition.frameRate)
    guard whole != clip.frames, isCutByEditList || video.edgeSettings(settings, composition.frameRate) == nil else { return }
    let start = clip.range.start
    let before = video.keyframes.last { $0 <= start + video.startTolerance } ?? .zero
    if whole?.lowerBound != clip.frames.lowerBound {
        let reason =
            video.codec == "av1"
            ? "to be copied from AV1" : "to be copied: the frames before it cannot be encoded in the same format"
        diagnostics.report(
            "\(place).timeRange.start", .conflict,
            "must be at a keyframe \(reason), as \(before) s is; move it, or export with another preset")
    } else if !isCutByEditList {
        diagnostics.report(
            "\(place).timeRange.duration", .conflict,
            "must end before a keyframe to be copied: the frames after it cannot be encoded in the same format; export with another preset"
        )
    }
}

/// The paths of everything in a draft that draws over the pictures or changes them.
private func pictureChanges(_ draft: Draft) -> [String] {
    let lists = [
        ("effects", draft.effects?.isEmpty == false), ("layers", draft.layers?.isEmpty == false),
    ].filter(\.1).map(\.0)
    let clips = draft.mainTrackClips.enumerated().flatMap { index, clip in
        let members = [
            ("speed", clip.speed != nil), ("durationAtMainTrack", clip.durationAtMainTrack != nil),
            ("reverse", clip.reverse == true), ("frameRate", clip.frameRate != nil), ("video", clip.video == false),
            ("preferredTransform", clip.preferredTransform != nil), ("cropRect", clip.cropRect != nil),
            ("transform", clip.transform != nil), ("opacity", clip.opacity != nil), ("filters", clip.filters?.isEmpty == false),
            ("transition", clip.transition != nil), ("type", clip.type != .av),
        ]
        return members.filter(\.1).map { "mainTrackClips[\(index)].\($0.0)" }
    }
    return lists + clips
}
