import DraftModel
import ExactTime
import ExportPlan
import VectorPaths

/// What is wrong with layers now that their sources are known.
func checkLayers(
    _ layers: [DraftLayer], _ facts: [String: SourceFacts], path: String, _ diagnostics: inout Diagnostics
) {
    for (index, layer) in layers.enumerated() {
        let place = "\(path)[\(index)]"
        guard let source = layer.source, !diagnostics.isFaulty(place) else { continue }
        if source.type == .group { checkLayers(source.layers ?? [], facts, path: "\(place).source.layers", &diagnostics) }
        if source.type == .text || source.type == .shape { checkDrawing(layer, source, place, &diagnostics) }
        guard let url = source.url, let found = facts[url] else { continue }
        if source.type == .captions {
            checkCaptions(layer, source, found, place, &diagnostics)
            continue
        }
        guard let picture = found.video else {
            diagnostics.report("\(place).source.url", .unreadableSource, "'\(url)' has no picture")
            continue
        }
        if source.type == .video, picture.isStill {
            diagnostics.report("\(place).source.type", .invalidValue, "'\(url)' is a still picture; use type 'image'")
        }
        if source.type == .video, PlayedLayer(layer, found) == nil {
            diagnostics.report(
                "\(place).source.timeRange.start", .emptyRange, "nothing of '\(url)', which is \(found.duration.shortText) s long"
            )
        }
        guard let crop = layer.cropRect, crop.unit != .ratio else { continue }
        let size = picture.displaySize
        if crop.x + crop.width > Rational(size.width) || crop.y + crop.height > Rational(size.height) {
            diagnostics.report(
                "\(place).cropRect", .outOfRange, "goes beyond the picture of '\(url)', which is \(size) when upright")
        }
    }
}

private func checkCaptions(
    _ layer: DraftLayer, _ source: LayerSource, _ facts: SourceFacts, _ place: String, _ diagnostics: inout Diagnostics
) {
    if layer.cropRect != nil {
        diagnostics.report("\(place).cropRect", .conflict, "does not belong to captions, which are as large as the frame")
    }
    if facts.hasOwnStyles, source.style != nil {
        diagnostics.report("\(place).source.style", .conflict, "'\(source.url ?? "")' has styles of its own; leave the field out")
    }
}

private func checkDrawing(
    _ layer: DraftLayer, _ source: LayerSource, _ place: String, _ diagnostics: inout Diagnostics
) {
    if layer.transform?.fit != nil {
        diagnostics.report(
            "\(place).transform.fit", .conflict, "does not belong to a \(source.type.rawValue), which has a size of its own")
    }
    if layer.cropRect != nil {
        diagnostics.report("\(place).cropRect", .conflict, "does not belong to a layer of type '\(source.type.rawValue)'")
    }
    guard let path = source.shape?.path else { return }
    do {
        _ = try VectorPath(svg: path)
    } catch {
        diagnostics.report("\(place).source.path", .invalidValue, error.message)
    }
}

/// Calls `body` with every layer and its path, those in groups after their group.
func forEachLayer(_ layers: [DraftLayer], path: String = "layers", _ body: (DraftLayer, String) -> Void) {
    for (index, layer) in layers.enumerated() {
        let place = "\(path)[\(index)]"
        body(layer, place)
        forEachLayer(layer.source?.layers ?? [], path: "\(place).source.layers", body)
    }
}
