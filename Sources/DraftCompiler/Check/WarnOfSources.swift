import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// Warns where a film shows less of its sources than its author may think, or shows them worse: a stream that nobody
/// chose, a crop of another shape than the frame, a picture that is enlarged much, a frame rate above all sources'.
func warnOfSources(
    _ draft: Draft, _ timeline: Timeline, _ format: PictureFormat, _ settings: ExportSettings, _ facts: [String: SourceFacts],
    _ diagnostics: inout Diagnostics
) {
    warnOfUnusedStreams(draft, facts, &diagnostics)
    guard settings.decidedFileType.format.hasVideo else { return }
    warnOfEnlargement(timeline, format, &diagnostics)
    warnOfCropShape(timeline, format, &diagnostics)
    warnOfFrameRate(draft, timeline, &diagnostics)
}

/// Warns once of each file that has several pictures or sounds of which nobody chose one.
private func warnOfUnusedStreams(_ draft: Draft, _ facts: [String: SourceFacts], _ diagnostics: inout Diagnostics) {
    let uses = SourceUse.kept(in: draft).filter { [.pictureOrSound, .picture, .sound].contains($0.need) }
    // A file whose streams some place chooses is known to have several.
    let chosenVideo = Set(uses.filter { $0.streams?.video != nil }.map(\.url))
    let chosenAudio = Set(uses.filter { $0.streams?.audio != nil }.map(\.url))
    var seen: Set<String> = []
    for use in uses where seen.insert(use.url).inserted {
        guard let found = facts[use.url] else { continue }
        if use.need != .sound, !chosenVideo.contains(use.url), found.otherVideo != nil, let plays = found.video?.streamIndex {
            warn(.video, "picture", plays, "videoStream", use, found, &diagnostics)
        }
        if !chosenAudio.contains(use.url), found.otherAudio != nil, let plays = found.audio?.streamIndex {
            warn(.audio, "sound", plays, "audioStream", use, found, &diagnostics)
        }
    }
}

private func warn(
    _ kind: StreamFacts.Kind, _ what: String, _ plays: Int, _ field: String, _ use: SourceUse, _ found: SourceFacts,
    _ diagnostics: inout Diagnostics
) {
    let others = kind == .video ? (found.otherVideo ?? []).map(\.streamIndex) : (found.otherAudio ?? []).map(\.streamIndex)
    func text(_ index: Int) -> String { found.streams?.first { $0.index == index }?.text ?? "\(index)" }
    let list = others.prefix(8).map(text).joined(separator: ", ") + (others.count > 8 ? ", ..." : "")
    diagnostics.warn(
        use.path, .unusedStream,
        "'\(use.name)' has \(others.count + 1) \(what) streams; \(text(plays)) plays, and not \(list)",
        remedy: "choose one by \(field)")
}

/// The greatest enlargement without a warning.
private let usualEnlargement = Rational(2)

/// Warns once of each source of the main track that is drawn with more than twice as many pixels each way as it has.
private func warnOfEnlargement(_ timeline: Timeline, _ format: PictureFormat, _ diagnostics: inout Diagnostics) {
    var seen: Set<String> = []
    for (index, placed) in timeline.clips.enumerated() where placed.clip.video != false && placed.clip.transform == nil {
        // A drawing is made at the size at which it is shown.
        guard let picture = placed.facts?.video, !picture.isDrawing, let url = placed.clip.url,
            placed.clip.animations?.isEmpty != false
        else {
            continue
        }
        let size = placed.clip.upright(picture).displaySize
        let scale = placed.clip.scale(of: size, format)
        guard max(scale.x, scale.y) > usualEnlargement, seen.insert(url).inserted else { continue }
        let times = (max(scale.x, scale.y).doubleValue * 10).rounded() / 10
        diagnostics.warn(
            "mainTrackClips[\(index)].url", .enlarged,
            "'\(url)' is \(size) and is enlarged \(times) times for a film of \(format.canvas)",
            remedy: "make the film smaller, or use a larger source")
    }
}

/// Warns of crops whose shape is not that of the frame, so that bars are seen or a part of the crop is not.
private func warnOfCropShape(_ timeline: Timeline, _ format: PictureFormat, _ diagnostics: inout Diagnostics) {
    for (index, placed) in timeline.clips.enumerated() where placed.clip.cropRect != nil && placed.clip.transform == nil {
        guard let picture = placed.facts?.video, placed.clip.animations?.isEmpty != false else { continue }
        let size = placed.clip.upright(picture).displaySize
        let seen = croppedRegion(size, placed.clip.cropRect)
        let (width, height) = (seen.width * Rational(size.width), seen.height * Rational(size.height))
        guard width > .zero, height > .zero else { continue }
        let shape = width / height * Rational(format.canvas.height) / Rational(format.canvas.width)
        // One percent is a matter of whole pixels.
        guard shape > Rational(101, 100) || shape < Rational(100, 101) else { continue }
        let effect: String
        switch placed.clip.scalingMode ?? .aspectFit {
        case .aspectFit: effect = "the background is seen beside it"
        case .aspectFill: effect = "a part of it is cut off"
        case .fill: effect = "it is distorted"
        case .none: continue
        }
        diagnostics.warn(
            "mainTrackClips[\(index)].cropRect", .cropShape,
            "is \(width.rounded)x\(height.rounded), which is not the shape of the frame, \(format.canvas): \(effect)",
            remedy: "give it the frame's shape, or another scalingMode")
    }
}

/// Warns where the draft asks for more frames a second than any clip has pictures.
private func warnOfFrameRate(_ draft: Draft, _ timeline: Timeline, _ diagnostics: inout Diagnostics) {
    guard let wanted = draft.frameRate, draft.layers?.isEmpty != false, !timeline.clips.isEmpty else { return }
    var highest = Rational.zero
    for placed in timeline.clips {
        // Animations, transitions, blended frames and speed ramps make pictures between those of the source.
        guard let video = placed.facts?.video, !video.isStill, !video.isVariableFrameRate, placed.ramp == nil,
            placed.clip.animations?.isEmpty != false, placed.clip.transition == nil, placed.clip.frameBlending != true,
            video.interlacing == nil
        else { return }
        highest = max(highest, video.frameRate.framesPerSecond * placed.speed)
    }
    guard draft.effects?.isEmpty != false, highest > .zero, wanted.framesPerSecond > highest * Rational(101, 100) else { return }
    diagnostics.warn(
        "frameRate", .repeatedFrames,
        "is \(wanted), but no clip has more than \((highest.doubleValue * 100).rounded() / 100) pictures a second: they are repeated",
        remedy: "make the film with the clips' frame rate, or blend frames by frameBlending")
}

extension MainTrackClip {
    /// Canvas pixels for each pixel of the upright source.
    fileprivate func scale(of size: FrameSize, _ format: PictureFormat) -> (x: Rational, y: Rational) {
        let seen = croppedRegion(size, cropRect)
        let (width, height) = (seen.width * Rational(size.width), seen.height * Rational(size.height))
        guard width > .zero, height > .zero else { return (.one, .one) }
        return (scalingMode ?? .aspectFit).scale(Rational(format.canvas.width) / width, Rational(format.canvas.height) / height)
            ?? format.scale
    }
}
