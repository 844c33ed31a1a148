import DraftModel
import ExactTime
import ExportPlan

/// Reports faults of layers that show only when their sources are known.
func checkLayers(_ layers: [DraftLayer], _ facts: [String: SourceFacts], _ diagnostics: inout Diagnostics) {
    forEachLayer(layers) { layer, place in
        if let source = layer.source, !diagnostics.isFaulty(place) { check(layer, source, facts, place, &diagnostics) }
        checkLayerTransitions(layer, facts, place, &diagnostics)
    }
}

private func check(
    _ layer: DraftLayer, _ source: LayerSource, _ facts: [String: SourceFacts], _ place: String,
    _ diagnostics: inout Diagnostics
) {
    if source.type == .text || source.type == .shape { checkDrawing(layer, source, place, &diagnostics) }
    if [.solid, .generator, .group].contains(source.type), layer.cropRect != nil {
        diagnostics.report(
            "\(place).cropRect", .conflict,
            "does not belong to a layer of type '\(source.type.rawValue)', which has a size of its own; leave it out")
    }
    guard let url = source.url, let found = facts[source] else { return }
    if source.type == .captions { return checkCaptions(layer, source, found, place, &diagnostics) }
    guard let picture = found.video else {
        diagnostics.report("\(place).source.url", .unreadableSource, "'\(url)' has no picture; put a sound into audioClips")
        return
    }
    if source.type == .video, picture.isStill {
        diagnostics.report("\(place).source.type", .invalidValue, "'\(url)' is a still picture; use type 'image'")
    }
    if source.type == .video, PlayedLayer(layer, found) == nil {
        diagnostics.report(
            "\(place).source.timeRange.start", .emptyRange, "must be below \(found.duration.shortText) s, where '\(url)' ends"
        )
    }
    if source.type == .video, let range = source.timeRange {
        warnOfShortening(range, of: found, url: url, path: "\(place).source.timeRange", &diagnostics)
    }
    checkCrop(layer.cropRect, layer.animations, of: picture.displaySize, url: url, at: place, &diagnostics)
}

private func checkCaptions(
    _ layer: DraftLayer, _ source: LayerSource, _ facts: SourceFacts, _ place: String, _ diagnostics: inout Diagnostics
) {
    if layer.cropRect != nil {
        diagnostics.report(
            "\(place).cropRect", .conflict, "does not belong to captions, which are as large as the frame; leave it out")
    }
    if facts.hasOwnStyles, source.style != nil {
        diagnostics.report("\(place).source.style", .conflict, "'\(source.url ?? "")' has its own styles; leave the field out")
    }
}

private func checkDrawing(
    _ layer: DraftLayer, _ source: LayerSource, _ place: String, _ diagnostics: inout Diagnostics
) {
    if layer.transform?.fit != nil {
        diagnostics.report(
            "\(place).transform.fit", .conflict,
            "does not belong to a \(source.type.rawValue), which has a size of its own; leave it out")
    }
    if layer.cropRect != nil {
        diagnostics.report(
            "\(place).cropRect", .conflict, "does not belong to a layer of type '\(source.type.rawValue)'; leave it out")
    }
    if layer.mask != nil {
        diagnostics.report(
            "\(place).mask", .conflict,
            "does not belong to a \(source.type.rawValue), whose size is not known before it is drawn; put it into a group and mask the group"
        )
    }
    if let shape = source.shape { checkPaths(of: shape, at: "\(place).source", &diagnostics) }
}

/// Checks that the paths of a shape can be read, and that they have the same segments where one turns into the next.
private func checkPaths(of shape: ShapeStyle, at place: String, _ diagnostics: inout Diagnostics) {
    func read(_ data: String, _ name: String) -> VectorPath? {
        do {
            return try VectorPath(svg: data)
        } catch {
            diagnostics.report("\(place).\(name)", .invalidValue, error.message)
            return nil
        }
    }
    guard let data = shape.path, let path = read(data, "path") else { return }
    for (index, data) in (shape.morphTo ?? []).enumerated() {
        let name = "morphTo[\(index)]"
        guard let target = read(data, name), path.morphed(into: target, 1) == nil else { continue }
        diagnostics.report(
            "\(place).\(name)", .conflict,
            "has other segments than path (\(target.segments) instead of \(path.segments)); a path turns into one with the same "
                + "moves, lines or curves, and closings")
    }
}

/// Calls `body` with every layer and its path. The layers in a group or mask come after their owner. A mask counts as a
/// layer.
func forEachLayer(_ layers: [DraftLayer], path: String = "layers", _ body: (DraftLayer, String) -> Void) {
    for (index, layer) in layers.enumerated() {
        let place = "\(path)[\(index)]"
        body(layer, place)
        forEachLayer(layer.source?.layers ?? [], path: "\(place).source.layers", body)
        guard let mask = layer.mask else { continue }
        body(mask.layer(during: layer.timeRange), "\(place).mask")
        forEachLayer(mask.source.layers ?? [], path: "\(place).mask.source.layers", body)
    }
}
