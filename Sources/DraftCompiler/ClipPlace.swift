public import DraftModel
public import ExactTime
public import ExportPlan

/// Where a clip of the main track ends up: what an editor shows beside it.
public struct ClipPlace: Hashable, Sendable, Encodable {
    /// In `mainTrackClips`.
    public var index: Int
    public var url: String
    /// On the main track before its effects, overlaps with neighbours included.
    public var timeRangeAtMainTrack: TimeRange
    /// The crop that fills the film with the clip's picture; nil without a picture.
    public var suggestedCropRect: Rect?
    /// Picture segments of the plan that show it, by their keys; in film order.
    public var segments: [ArtifactKey]
}

extension Compiler {
    /// Every clip of the main track, in order.
    /// - Parameter composed: what `compile` has made of the same draft.
    /// - Throws: `DraftError` where the main track cannot be placed.
    public func clipPlaces(of draft: Draft, _ composed: (composition: Composition, plan: RenderPlan)) throws -> [ClipPlace] {
        var diagnostics = Diagnostics([])
        guard let timeline = place(draft, facts: facts, &diagnostics) else { throw DraftError(diagnostics.all) }
        let (composition, plan) = composed
        let film = draft.videoSize.map { FrameSize(width: $0.width, height: $0.height) } ?? composition.canvas
        let shown = plan.videoSegments.map { segment in
            let first = composition.frameRate.time(ofFrame: segment.firstFrame) + timeline.window.start
            let last = first + composition.frameRate.time(ofFrame: segment.slice.frameCount)
            return (segment.key, timeline.timeEffects.remove(from: TimeRange(from: first, to: last)))
        }
        let byTime = RangeIndex(shown.map { ($0.1.start, $0.1.end) })
        return timeline.clips.enumerated().map { index, placed in
            ClipPlace(
                index: index, url: placed.clip.url, timeRangeAtMainTrack: placed.timeRange,
                suggestedCropRect: placed.facts.video.map {
                    Rect.suggestedCrop(of: placed.clip.upright($0).displaySize, filling: film)
                },
                segments: byTime.indices(from: placed.timeRange.start, to: placed.timeRange.end).map { shown[$0].0 })
        }
    }
}

extension MainTrackClip {
    /// A picture with the clip's own orientation, where it has one.
    func upright(_ picture: VideoFacts) -> VideoFacts {
        guard let preferredTransform else { return picture }
        var turned = picture
        turned.orientation = Orientation(preferredTransform)
        return turned
    }
}

extension Rect {
    /// The largest part of a picture that has the shape of a film: in the middle, touching two opposite edges, in whole pixels.
    /// - Parameter size: of the upright picture.
    public static func suggestedCrop(of size: FrameSize, filling film: FrameSize) -> Rect {
        let (width, height) = (size.width * film.height, size.height * film.width)
        let across = width > height ? max(1, (Rational(height) / Rational(film.height)).rounded) : size.width
        let down = width > height ? size.height : max(1, (Rational(width) / Rational(film.width)).rounded)
        return Rect(
            x: Rational((size.width - across) / 2), y: Rational((size.height - down) / 2), width: Rational(across),
            height: Rational(down), unit: .pixel)
    }
}
