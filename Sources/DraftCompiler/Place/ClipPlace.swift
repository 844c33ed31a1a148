package import DraftModel
package import ExactTime
package import ExportPlan

/// Where a clip of the main track is placed, for display in an editor.
package struct ClipPlace: Hashable, Sendable, Encodable {
    /// The index in `mainTrackClips`.
    package var index: Int
    package var id: String?
    /// Nil for a clip of type `color` or `generator`.
    package var url: String?
    /// The range on the main track before its effects, including overlaps with neighbours.
    package var timeRangeAtMainTrack: TimeRange
    /// The crop with which the clip's picture fills the film; nil without a picture.
    package var suggestedCropRect: Rect?
    /// The keys of the plan's video segments that show the clip, in film order.
    package var segments: [ArtifactKey]
}

extension Compiler {
    /// The places of all clips of the main track, in order.
    /// - Parameter composed: the result of `compile` for the same draft.
    /// - Throws: `DraftError` if the main track cannot be placed.
    package func clipPlaces(of draft: Draft, _ composed: (composition: Composition, plan: RenderPlan)) throws -> [ClipPlace] {
        var diagnostics = Diagnostics([], of: draft)
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
                index: index, id: placed.clip.id, url: placed.clip.url, timeRangeAtMainTrack: placed.timeRange,
                suggestedCropRect: placed.facts?.video.map {
                    Rect.suggestedCrop(of: placed.clip.upright($0).displaySize, filling: film)
                },
                segments: byTime.indices(from: placed.timeRange.start, to: placed.timeRange.end).map { shown[$0].0 })
        }
    }
}

extension MainTrackClip {
    /// The picture's facts with the clip's own orientation, if it has one.
    func upright(_ picture: VideoFacts) -> VideoFacts {
        guard let preferredTransform else { return picture }
        var rotated = picture
        rotated.orientation = Orientation(preferredTransform)
        return rotated
    }
}

extension Rect {
    /// The largest centred part of a picture with the aspect ratio of a film, in whole pixels. It touches two opposite
    /// edges.
    /// - Parameter size: the size of the upright picture.
    package static func suggestedCrop(of size: FrameSize, filling film: FrameSize) -> Rect {
        let (width, height) = (size.width * film.height, size.height * film.width)
        let across = width > height ? max(1, (Rational(height) / Rational(film.height)).rounded) : size.width
        let down = width > height ? size.height : max(1, (Rational(width) / Rational(film.width)).rounded)
        return Rect(
            x: Rational((size.width - across) / 2), y: Rational((size.height - down) / 2), width: Rational(across),
            height: Rational(down), unit: .pixel)
    }
}
