import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// A slow second implementation of compiler and compositor. It draws frames of a draft straight from the specification
/// (sections 1, 3 and 5 to 8), from the decoded draft, in `Double` RGBA. It uses nothing of the product except exact
/// time and the drawn texts and shapes.
///
/// Where the specification leaves a choice it follows docs/draft.md and docs/decisions/0004: layers without a transform
/// land on even pixels, and a clip's filters run after that; a picture that has a transform is filtered in its own
/// pixels first.
struct ReferenceRenderer {
    let draft: Draft
    /// The sources by `url`.
    let sources: [String: ReferenceSource]
    let size: FrameSize
    let frameRate: FrameRate

    /// - Parameter draft: a valid draft with a `videoSize` and a `frameRate`.
    init?(_ draft: Draft, sources: [String: ReferenceSource]) {
        guard let size = draft.videoSize, let rate = draft.frameRate else { return nil }
        self.draft = draft
        self.sources = sources
        self.size = FrameSize(width: size.width, height: size.height)
        frameRate = rate
    }

    /// A frame of the film. It is opaque.
    func picture(atFrame frame: Int) throws -> ReferencePicture {
        let time = frameRate.time(ofFrame: frame) + window.start
        var canvas = changedTrack(at: time, by: (draft.effects ?? [])[...])
        try draw(draft.layers ?? [], onto: &canvas, at: time)
        return canvas
    }

    var frameCount: Int { frameRate.firstFrame(atOrAfter: window.duration) }

    /// The part of the timeline that the draft's `timeRange` keeps.
    private var window: TimeRange {
        let whole = TimeRange(start: .zero, duration: duration(after: (draft.effects ?? [])[...]))
        return draft.timeRange.map(whole.intersection) ?? whole
    }

    /// The duration of the main track with these effects.
    private func duration(after effects: ArraySlice<Effect>) -> MediaTime {
        guard let effect = effects.last else {
            return clips.last?.timeRange.end ?? (draft.layers ?? []).map(\.timeRange.end).max() ?? .zero
        }
        let before = duration(after: effects.dropLast())
        let length = range(of: effect, before).duration
        switch effect.type {
        case .speed: return before - length + length / (effect.speed ?? .one)
        case .repetition: return before + length * Rational((effect.count ?? 1) - 1)
        case .freeze: return before + (effect.duration ?? .zero)
        case .cut: return before - length
        case .filter, .lut, .externalFilter, .imageSticker: return before
        }
    }

    private func range(of effect: Effect, _ duration: MediaTime) -> TimeRange {
        let whole = TimeRange(start: .zero, duration: duration)
        return effect.timeRangeAtMainTrack.map(whole.intersection) ?? whole
    }

    /// The main track at a time of the timeline that these effects make. The last effect either draws, or asks the
    /// effects before it for another time.
    private func changedTrack(at time: MediaTime, by effects: ArraySlice<Effect>) -> ReferencePicture {
        guard let effect = effects.last else { return mainTrack(at: time) }
        let rest = effects.dropLast()
        let range = range(of: effect, duration(after: rest))
        switch effect.type {
        case .filter, .lut, .externalFilter, .imageSticker:
            var canvas = changedTrack(at: time, by: rest)
            draw(effect, onto: &canvas, at: time)
            return canvas
        case .speed:
            let speed = effect.speed ?? .one
            let length = range.duration / speed
            if time < range.start { return changedTrack(at: time, by: rest) }
            let isInside = time < range.start + length
            return changedTrack(
                at: isInside ? range.start + (time - range.start) * speed : time - length + range.duration, by: rest)
        case .repetition:
            var earlier = time
            for _ in 1..<max(1, effect.count ?? 1) where earlier >= range.end { earlier -= range.duration }
            return changedTrack(at: earlier, by: rest)
        case .freeze:
            let held = time < range.start ? time : max(range.start, time - (effect.duration ?? .zero))
            return changedTrack(at: held, by: rest)
        case .cut:
            return changedTrack(at: time < range.start ? time : time + range.duration, by: rest)
        }
    }

    /// A clip, the time range in which it shows, and the range of its source that plays.
    private struct PlacedClip {
        var clip: MainTrackClip
        var timeRange: TimeRange
        var sourceRange: TimeRange
        var speed: Rational
    }

    private var clips: [PlacedClip] {
        var result: [PlacedClip] = []
        for clip in draft.mainTrackClips {
            let whole = TimeRange(start: .zero, duration: clip.url.flatMap { sources[$0]?.duration } ?? .zero)
            let range = clip.timeRange.map(whole.intersection) ?? whole
            var speed = clip.durationAtMainTrack.map { range.duration / $0 } ?? .one
            if case .constant(let given) = clip.speed { speed = given }
            let duration = clip.duration ?? range.duration / speed
            let overlap = result.isEmpty ? .zero : clip.transition?.duration ?? .zero
            let start = (result.last?.timeRange.end ?? .zero) - overlap
            result.append(
                PlacedClip(
                    clip: clip, timeRange: TimeRange(start: start, duration: duration), sourceRange: range, speed: speed))
        }
        return result
    }

    private func mainTrack(at time: MediaTime) -> ReferencePicture {
        let seen = clips.filter { $0.timeRange.contains(time) }
        guard let last = seen.last else { return background }
        guard seen.count > 1, let transition = last.clip.transition else { return picture(of: last, at: time) }
        let range = TimeRange(start: last.timeRange.start, duration: transition.duration)
        return referenceJoin(
            picture(of: seen[0], at: time), picture(of: last, at: time), transition.type,
            over: range.shifted(by: -window.start), at: time - window.start, frameRate)
    }

    /// The colour or picture behind the clips.
    private var background: ReferencePicture {
        var canvas = ReferencePicture(width: size.width, height: size.height, color: .black)
        let color = draft.background?.color ?? Color(red: 0, green: 0, blue: 0)
        canvas.draw(ReferencePicture(width: size.width, height: size.height, color: RGBAColor(referred: color)))
        if draft.background?.type == .image, let url = draft.background?.url, let source = sources[url] {
            canvas.draw(fitted(source.pictures[0], .aspectFill))
        }
        return canvas
    }

    private func picture(of placed: PlacedClip, at time: MediaTime) -> ReferencePicture {
        let clip = placed.clip
        var canvas = background
        if let color = clip.color {
            canvas.draw(ReferencePicture(width: size.width, height: size.height, color: RGBAColor(referred: color)))
        }
        guard let url = clip.url, let source = sources[url], clip.video != false else { return canvas }
        let local = time - placed.timeRange.start
        // With a frame rate of its own, the picture is that of the last of its steps.
        let shown =
            clip.frameRate.map { rate in
                MediaTime(Rational((local.seconds * rate.framesPerSecond).floor) / rate.framesPerSecond)
            } ?? local
        let reversed = clip.reverse == true
        let moved = MediaTime(shown.seconds * placed.speed)
        let sourceTime = reversed ? placed.sourceRange.end - moved : placed.sourceRange.start + moved
        var picture = clip.type == .image ? source.pictures[0] : source.picture(at: sourceTime, reversed: reversed)
        if let turn = clip.preferredTransform {
            picture = picture.rotated(quarterTurns: (turn.rotation ?? 0) / 90, mirrored: turn.mirrored ?? false)
        }
        picture = picture.cropped(to: clip.cropRect)
        let values = ReferenceValues(clip.animations, at: local)
        let filters = values.operations(clip.filters, in: "filters")
        let isTransformed =
            clip.transform != nil || (clip.animations ?? []).contains { $0.keyPath.hasPrefix("transform.") }
        let placedPicture: ReferencePicture
        if isTransformed {
            var transform = clip.transform ?? Transform()
            transform.fit = Transform.Fit(
                rect: Rect(x: .zero, y: .zero, width: .one, height: .one, unit: .ratio), mode: clip.scalingMode)
            placedPicture = picture.changed(by: filters).transformed(transform, values, on: size)
        } else {
            placedPicture = fitted(picture, clip.scalingMode ?? .aspectFit, filters)
        }
        canvas.draw(placedPicture, opacity: values.value("opacity", clip.opacity ?? 1))
        return canvas
    }

    /// A picture that is placed in the frame by its scaling mode alone, with its edges on even pixels, and then
    /// filtered.
    private func fitted(
        _ picture: ReferencePicture, _ mode: ScalingMode, _ filters: [ReferenceOperation] = []
    ) -> ReferencePicture {
        let factors = SIMD2(Double(size.width) / Double(picture.width), Double(size.height) / Double(picture.height))
        let scale =
            switch mode {
            case .fill: factors
            case .aspectFit: SIMD2(repeating: factors.min())
            case .aspectFill: SIMD2(repeating: factors.max())
            case .none: SIMD2<Double>.one
            }
        func edge(_ length: Int, _ scale: Double, _ available: Int) -> (start: Int, length: Int, seen: Range<Int>) {
            let extent = Double(length) * scale
            if extent < Double(available) - 1e-9 {
                let even = max(2, Int((extent / 2).rounded()) * 2)
                return ((available - even) / 4 * 2, even, 0..<length)
            }
            // The visible part of the source begins and ends at whole pixels.
            let hidden = (Double(length) - Double(available) / scale) / 2
            return (0, available, Int(hidden.rounded())..<Int((Double(length) - hidden).rounded()))
        }
        let across = edge(picture.width, scale.x, size.width)
        let down = edge(picture.height, scale.y, size.height)
        let rect = PixelRect(x: across.start, y: down.start, width: across.length, height: down.length)
        let seen = picture.cropped(
            x: across.seen.lowerBound, y: down.seen.lowerBound, width: across.seen.count, height: down.seen.count)
        let stretched = seen.stretched(width: rect.width, height: rect.height).changed(by: filters)
        var canvas = ReferencePicture(width: size.width, height: size.height)
        for y in 0..<rect.height {
            for x in 0..<rect.width { canvas[rect.x + x, rect.y + y] = stretched[x, y] }
        }
        return canvas
    }

    private func draw(_ effect: Effect, onto canvas: inout ReferencePicture, at time: MediaTime) {
        guard effect.timeRangeAtMainTrack?.contains(time) ?? true else { return }
        switch effect.type {
        case .filter:
            let filters = effect.operation.map { [$0] } ?? []
            canvas = canvas.changed(by: ReferenceValues(nil, at: time).operations(filters, in: "filters"))
        case .lut, .externalFilter: preconditionFailure("lookup tables and plug-ins have witnesses of their own")
        case .imageSticker:
            guard let url = effect.url, let rect = effect.destRect, let source = sources[url] else { return }
            let transform = Transform(fit: Transform.Fit(rect: rect, mode: .fill))
            canvas.draw(source.pictures[0].transformed(transform, ReferenceValues(nil, at: time), on: size))
        case .speed, .repetition, .freeze, .cut: break
        }
    }

    private func draw(_ layers: [DraftLayer], onto canvas: inout ReferencePicture, at time: MediaTime) throws {
        try ReferenceLayers(sources: sources, frameRate: frameRate, filmStart: window.start).draw(
            layers, onto: &canvas, at: time)
    }
}

extension RGBAColor {
    /// The colour as the draft writes it.
    init(referred color: Color) {
        self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
    }
}
