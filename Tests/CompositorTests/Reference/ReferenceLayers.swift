import DraftModel
import ExactTime
import ExportPlan
import TextRendering
import Vocabulary

/// The layers of the reference renderer. Each is a picture in its own pixels, which its operations change and which is
/// composited where its transform puts it. Groups are drawn like films of their own, on a transparent background.
struct ReferenceLayers {
    let sources: [String: ReferenceSource]
    let frameRate: FrameRate
    /// The time at which the film begins, in the time of the layers that are drawn.
    let filmStart: MediaTime

    /// - Parameter time: the time in the film, or in the group that contains the layers.
    func draw(_ layers: [DraftLayer], onto canvas: inout ReferencePicture, at time: MediaTime) throws {
        let ordered = layers.enumerated().sorted {
            ($0.element.layerLevel ?? 0, $0.offset) < ($1.element.layerLevel ?? 0, $1.offset)
        }
        for (_, layer) in ordered where layer.timeRange.contains(time) {
            let local = time - layer.timeRange.start
            let values = ReferenceValues(layer.animations, at: local)
            let opacity = values.value("opacity", layer.opacity ?? 1)
            let operations = values.operations(layer.operations, in: "operations")
            let mode = layer.blendMode?.named ?? .normal
            guard let source = layer.source else {
                let before = canvas
                try adjust(&canvas, operations, opacity, mode, layer, at: local)
                canvas = joined(before, canvas, by: layer, at: time)
                continue
            }
            let size = FrameSize(width: canvas.width, height: canvas.height)
            guard let own = try picture(of: source, layer.cropRect, at: local, from: layer.timeRange.start, in: size) else {
                continue
            }
            let changed = try masked(own.picture.changed(by: operations), of: layer, at: local)
            let placed = changed.transformed(layer.transform ?? Transform(), values, on: size, box: own.box)
            let empty = ReferencePicture(width: size.width, height: size.height)
            canvas.draw(joined(empty, placed, by: layer, at: time), opacity: opacity, mode: mode)
        }
    }

    /// The picture without a layer and the one with it, joined by the transition in which the layer is at a time.
    private func joined(
        _ without: ReferencePicture, _ with: ReferencePicture, by layer: DraftLayer, at time: MediaTime
    ) -> ReferencePicture {
        var seen = layer.timeRange
        if let source = layer.source, source.type == .video, source.loop != true, let found = source.url.flatMap({ sources[$0] })
        {
            let whole = TimeRange(start: .zero, duration: found.duration)
            let length = (source.timeRange.map(whole.intersection) ?? whole).duration / (source.speed ?? .one)
            seen.duration = min(seen.duration, length)
        }
        if let transition = layer.transitionIn, time < seen.start + transition.duration {
            let range = TimeRange(start: seen.start, duration: transition.duration).shifted(by: -filmStart)
            return referenceJoin(without, with, transition.type, over: range, at: time - filmStart, frameRate)
        }
        if let transition = layer.transitionOut, time >= seen.end - transition.duration {
            let range = TimeRange(start: seen.end - transition.duration, duration: transition.duration)
            return referenceJoin(
                with, without, transition.type, over: range.shifted(by: -filmStart), at: time - filmStart, frameRate)
        }
        return with
    }

    /// Changes the colours of the canvas and leaves its alpha unchanged.
    private func adjust(
        _ canvas: inout ReferencePicture, _ operations: [ReferenceOperation], _ opacity: Double, _ mode: BlendMode,
        _ layer: DraftLayer, at time: MediaTime
    ) throws {
        let alphas = canvas.pixels.map(\.alpha)
        for index in canvas.pixels.indices {
            canvas.pixels[index].color = canvas.pixels[index].straight
            canvas.pixels[index].alpha = 1
        }
        canvas.draw(try masked(canvas.changed(by: operations), of: layer, at: time), opacity: opacity, mode: mode)
        for index in canvas.pixels.indices {
            canvas.pixels[index].color *= alphas[index]
            canvas.pixels[index].alpha = alphas[index]
        }
    }

    /// A layer's picture, and the box in it that the layer's coordinates refer to.
    struct OwnPicture {
        var picture: ReferencePicture
        var box: (origin: SIMD2<Double>, size: SIMD2<Double>)

        init(_ picture: ReferencePicture) {
            self.picture = picture
            box = (.zero, SIMD2(Double(picture.width), Double(picture.height)))
        }

        init(_ drawn: DrawnPicture) {
            picture = ReferencePicture(width: drawn.width, height: drawn.height)
            for index in picture.pixels.indices {
                func value(_ channel: Int) -> Double { Double(drawn.pixels[4 * index + channel]) / 255 }
                picture.pixels[index].color = SIMD3(value(0), value(1), value(2))
                picture.pixels[index].alpha = value(3)
            }
            // Texts and shapes are flat except at their edges.
            picture.markEdges(reach: 1, steepest: 0.02)
            box = (
                SIMD2(Double(drawn.origin.x), Double(drawn.origin.y)),
                SIMD2(Double(drawn.boxSize.width), Double(drawn.boxSize.height))
            )
        }
    }

    /// - Parameters:
    ///   - time: the time since the layer's start.
    ///   - start: the layer's start, in the time of the list that contains it.
    /// - Returns: nil if nothing is visible.
    func picture(
        of source: LayerSource, _ crop: Rect?, at time: MediaTime, from start: MediaTime, in canvas: FrameSize
    ) throws -> OwnPicture? {
        switch source.type {
        case .image:
            return source.url.flatMap { sources[$0] }.map { OwnPicture($0.pictures[0].cropped(to: crop)) }
        case .video:
            guard let found = source.url.flatMap({ sources[$0] }) else { return nil }
            return played(source, found, at: time).map { OwnPicture($0.cropped(to: crop)) }
        case .solid:
            let size = source.size.map { FrameSize(width: $0.width, height: $0.height) } ?? canvas
            if let gradient = source.gradient {
                return OwnPicture(
                    ReferencePicture(width: size.width, height: size.height) { x, y in
                        referenceGradient(
                            gradient, (Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height), size)
                    })
            }
            let color = source.color.map(RGBAColor.init(referred:)) ?? .black
            return OwnPicture(ReferencePicture(width: size.width, height: size.height, color: color))
        case .group:
            let size = source.size.map { FrameSize(width: $0.width, height: $0.height) } ?? canvas
            var inside = ReferencePicture(width: size.width, height: size.height)
            // The group's time begins with the layer.
            let layers = ReferenceLayers(sources: sources, frameRate: frameRate, filmStart: filmStart - start)
            try layers.draw(source.layers ?? [], onto: &inside, at: time)
            return OwnPicture(inside)
        case .captions, .generator: preconditionFailure("captions and generators have witnesses of their own")
        case .text:
            guard let style = source.text else { return nil }
            let white = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)
            let text = TextContent(
                text: style.text, font: style.font ?? "", color: style.color.map(RGBAColor.init(referred:)) ?? white,
                alignment: style.align ?? .center, box: .init(width: nil, height: nil), lineSpacing: 1, letterSpacing: 0)
            return OwnPicture(try Typesetter(fonts: FontLibrary()).draw(text))
        case .shape:
            guard let style = source.shape else { return nil }
            let outline: ShapeContent.Outline =
                style.shape == .ellipse
                ? .ellipse(width: style.width, height: style.height)
                : .rect(width: style.width, height: style.height, cornerRadius: style.cornerRadius ?? 0)
            return OwnPicture(
                try ShapePainter.draw(
                    ShapeContent(
                        outline: outline, fill: style.fill.map(RGBAColor.init(referred:)),
                        stroke: style.stroke.map { Stroke(color: RGBAColor(referred: $0.color), width: $0.width) })))
        }
    }

    /// The frame of a video that plays from the layer's start, once or in a loop.
    private func played(_ source: LayerSource, _ found: ReferenceSource, at time: MediaTime) -> ReferencePicture? {
        let whole = TimeRange(start: .zero, duration: found.duration)
        let range = source.timeRange.map(whole.intersection) ?? whole
        var played = MediaTime(time.seconds * (source.speed ?? .one))
        if played >= range.duration {
            guard source.loop == true else { return nil }
            played = played - range.duration * Rational((played / range.duration).floor)
        }
        let reversed = source.reverse == true
        return found.picture(at: reversed ? range.end - played : range.start + played, reversed: reversed)
    }
}

extension ReferencePicture {
    /// - Parameter crop: whole pixels, or fractions that give whole pixels.
    func cropped(to crop: Rect?) -> ReferencePicture {
        guard let crop else { return self }
        let (across, down) = crop.unit == .ratio ? (Rational(width), Rational(height)) : (.one, .one)
        return cropped(
            x: (crop.x * across).rounded, y: (crop.y * down).rounded, width: (crop.width * across).rounded,
            height: (crop.height * down).rounded)
    }

    /// Draws this picture on a canvas where a transform puts it.
    /// - Parameter box: the part of this picture that its coordinates refer to. Nil for the whole picture.
    func transformed(
        _ transform: Transform, _ values: ReferenceValues, on canvas: FrameSize,
        box: (origin: SIMD2<Double>, size: SIMD2<Double>)? = nil
    ) -> ReferencePicture {
        let box = box ?? (.zero, SIMD2(Double(width), Double(height)))
        let frame = SIMD2(Double(canvas.width), Double(canvas.height))
        if let corners = transform.corners {
            func place(_ name: String, _ given: Transform.Pair?, _ unset: SIMD2<Double>) -> SIMD2<Double> {
                values.pair("transform.corners.\(name)", given, unset) * frame
            }
            let places = [
                place("topLeft", corners.topLeft, SIMD2(0, 0)), place("topRight", corners.topRight, SIMD2(1, 0)),
                place("bottomRight", corners.bottomRight, SIMD2(1, 1)), place("bottomLeft", corners.bottomLeft, SIMD2(0, 1)),
            ]
            return hung(by: ReferencePerspective(places, box), width: canvas.width, height: canvas.height)
        }
        var scale = SIMD2<Double>.one
        var middle = frame / 2
        if let fit = transform.fit {
            let unit = fit.rect.unit == .ratio ? frame : .one
            let corner = SIMD2(fit.rect.x.doubleValue, fit.rect.y.doubleValue) * unit
            let extent = SIMD2(fit.rect.width.doubleValue, fit.rect.height.doubleValue) * unit
            middle = corner + extent / 2
            let factors = extent / box.size
            switch fit.mode ?? .aspectFit {
            case .fill: scale = factors
            case .aspectFit: scale = SIMD2(repeating: factors.min())
            case .aspectFill: scale = SIMD2(repeating: factors.max())
            case .none: break
            }
        }
        let anchor = values.pair("transform.anchor", transform.anchor, SIMD2(0.5, 0.5))
        let center = values.pair("transform.center", transform.center, middle / frame)
        let map = ReferenceMap(
            anchor: box.origin + anchor * box.size, at: center * frame,
            scale: scale * values.pair("transform.scale", transform.scale, .one),
            degrees: values.value("transform.rotation", transform.rotation ?? 0))
        return placed(by: map, width: canvas.width, height: canvas.height)
    }
}
