import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// Reports what keeps a draft from being copied.
func checkPassthrough(
    _ draft: Draft, _ composition: Composition, _ settings: ExportSettings, facts: [String: SourceFacts],
    _ diagnostics: inout Diagnostics
) {
    let known = diagnostics.errorCount
    checkCodecs(draft, settings.decidedFileType, facts, &diagnostics)
    guard let shown = shownSources(composition, facts: facts), shown.count == draft.mainTrackClips.count else {
        return checkChanges(draft, composition, facts, &diagnostics)
    }
    checkAlike(shown, settings.decidedFileType, &diagnostics)
    let isCutByEditList = shown.count == 1 && settings.decidedFileType.hasEditLists
    for (index, clip) in shown.enumerated() {
        checkEdges(clip, "mainTrackClips[\(index)]", isCutByEditList, composition, settings, &diagnostics)
    }
    guard diagnostics.errorCount == known else { return }
    let format = OutputFormat(settings: settings, draft: draft, frameRate: composition.frameRate)
    if planCopy(composition, settings, format, facts: facts) == nil {
        diagnostics.report(
            "mainTrackClips", .conflict,
            "show no whole group of pictures, and nothing less can be copied"
                + (shown.count == 1 ? "; choose mp4 or mov" : "; export with another preset"))
    }
}

private func checkCodecs(
    _ draft: Draft, _ type: FileType, _ facts: [String: SourceFacts], _ diagnostics: inout Diagnostics
) {
    for (index, clip) in draft.mainTrackClips.enumerated() {
        guard let video = facts[clip.url]?.video, !video.isStill, !type.copiedCodecs.contains(video.codec) else { continue }
        diagnostics.report(
            "mainTrackClips[\(index)].url", .conflict,
            "has pictures in \(video.codec), which passthrough cannot copy into a \(type.rawValue) file, but "
                + type.copiedCodecs.joined(separator: ", "))
    }
}

/// Says what is drawn, or drawn otherwise.
private func checkChanges(
    _ draft: Draft, _ composition: Composition, _ facts: [String: SourceFacts], _ diagnostics: inout Diagnostics
) {
    let known = diagnostics.errorCount
    let remedy = "which passthrough copies as they are; leave it out, or export with another preset"
    for change in pictureChanges(draft) { diagnostics.report(change, .conflict, "changes the pictures, \(remedy)") }
    for (index, clip) in draft.mainTrackClips.enumerated() {
        guard let video = facts[clip.url]?.video, !video.isStill else { continue }
        // The first clip decides where the draft does not.
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
        diagnostics.report("mainTrackClips", .conflict, "are not shown as they are; export with another preset than passthrough")
    }
}

/// What is joined has to be decoded by one decoder.
private func checkAlike(_ shown: [ShownSource], _ type: FileType, _ diagnostics: inout Diagnostics) {
    guard let first = shown.first?.video else { return }
    for (index, clip) in shown.enumerated().dropFirst() {
        let video = clip.video
        let differences = [
            ("codec", video.codec != first.codec), ("pixel format", video.pixelFormat != first.pixelFormat),
            ("colours", video.color != first.color), ("orientation", video.orientation != first.orientation),
            ("pixel aspect ratio", video.sampleAspectRatio != first.sampleAspectRatio),
            // Matroska has room for others before each keyframe; VP9 has none.
            (
                "parameter sets",
                video.packets?.setup != first.packets?.setup
                    && (type.hasEditLists || !["h264", "hevc", "vp9"].contains(video.codec))
            ),
        ].filter(\.1).map(\.0)
        guard !differences.isEmpty else { continue }
        diagnostics.report(
            "mainTrackClips[\(index)].url", .conflict,
            "cannot be copied behind mainTrackClips[0], from which it differs in \(differences.joined(separator: ", ")); "
                + "export with another preset")
    }
}

/// A copy can be cut anywhere only where an edit list does it and decoders keep to it, or where what is missing beside whole groups of
/// pictures can be encoded like them.
private func checkEdges(
    _ clip: ShownSource, _ place: String, _ isCutByEditList: Bool, _ composition: Composition, _ settings: ExportSettings,
    _ diagnostics: inout Diagnostics
) {
    let video = clip.video
    if isCutByEditList, video.codec != "av1" { return }
    let type = settings.decidedFileType
    if !isCutByEditList, video.isVariableFrameRate {
        return diagnostics.report(
            "\(place).url", .conflict,
            "has frames that follow one another unevenly: passthrough copies one such clip, into mp4 and mov")
    }
    if !type.hasEditLists, video.orientation != .upright {
        return diagnostics.report(
            "\(place).url", .conflict, "has pictures that are turned, which a \(type.rawValue) file cannot say; choose mp4 or mov"
        )
    }
    // Its parameter sets would have to stand among the pictures, where these files have none.
    if type.hasEditLists, !isCutByEditList, video.codec == "hevc" {
        return diagnostics.report(
            "\(place).url", .conflict, "is of HEVC, of which passthrough joins clips in mkv only; choose mkv, or another preset")
    }
    let whole = clip.wholeGroups(composition.frameRate)
    guard whole != clip.frames, isCutByEditList || video.edgeSettings(settings, composition.frameRate) == nil else { return }
    let start = clip.range.start
    let before = video.keyframes.last { $0 <= start + video.startTolerance } ?? .zero
    if whole?.lowerBound != clip.frames.lowerBound {
        let reason =
            video.codec == "av1" ? "to be copied from AV1" : "to be copied: what comes before one cannot be encoded like it"
        diagnostics.report(
            "\(place).timeRange.start", .conflict,
            "must be at a keyframe \(reason), as \(before) s is; move it, or export with another preset")
    } else if !isCutByEditList {
        diagnostics.report(
            "\(place).timeRange.duration", .conflict,
            "must end before a keyframe to be copied: what comes behind one cannot be encoded like it; export with another preset"
        )
    }
}

/// Places of a draft where something is drawn, or drawn otherwise.
private func pictureChanges(_ draft: Draft) -> [String] {
    let lists = [
        ("effects", draft.effects?.isEmpty == false), ("layers", draft.layers?.isEmpty == false),
    ].filter(\.1).map(\.0)
    let clips = draft.mainTrackClips.enumerated().flatMap { index, clip in
        let members = [
            ("speed", clip.speed != nil), ("durationAtMainTrack", clip.durationAtMainTrack != nil),
            ("reverse", clip.reverse == true),
            ("preferredTransform", clip.preferredTransform != nil), ("cropRect", clip.cropRect != nil),
            ("transform", clip.transform != nil), ("opacity", clip.opacity != nil), ("filters", clip.filters?.isEmpty == false),
            ("transition", clip.transition != nil), ("type", clip.type == .image),
        ]
        return members.filter(\.1).map { "mainTrackClips[\(index)].\($0.0)" }
    }
    return lists + clips
}

extension FileType {
    /// What its edit lists and its boxes have room for, or what can stand beside other pictures in it; by libavcodec's names.
    fileprivate var copiedCodecs: [String] {
        switch self {
        case .mp4: ["h264", "hevc", "av1", "vp9", "mpeg4"]
        case .mov: ["h264", "hevc", "prores", "mpeg4", "mjpeg"]
        case .mkv: ["h264", "hevc", "vp9", "av1", "prores", "mjpeg"]
        case .webm: ["vp9", "av1"]
        default: []
        }
    }
}
