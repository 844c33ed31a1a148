import DraftModel
import ExactTime
import ExportPlan

/// The captions that become subtitle tracks of the film, in the order of their layers; nil if there are none.
/// - Parameter window: the timeline range that the film shows.
func lowerSubtitles(
    _ layers: [DraftLayer], _ facts: [String: SourceFacts], window: TimeRange
) -> [SubtitleTrack]? {
    let tracks = layers.compactMap { layer -> SubtitleTrack? in
        guard let style = layer.source?.subtitleTrack, let url = layer.source?.url, let found = facts[url] else { return nil }
        return SubtitleTrack(
            source: found.contentHash, start: layer.timeRange.start - window.start,
            timeRange: layer.timeRange.intersection(window).shifted(by: -window.start), language: style.language ?? "und")
    }
    return tracks.isEmpty ? nil : tracks
}

/// Reports conflicts of captions with a subtitle track: those in a group or mask cannot have one, and captions that are
/// not drawn cannot have fields that affect drawing.
func checkSubtitles(_ layers: [DraftLayer], _ diagnostics: inout Diagnostics) {
    forEachLayer(layers) { layer, place in
        guard let source = layer.source, source.type == .captions else { return }
        if source.subtitleTrack != nil, place.contains(".") {
            diagnostics.report(
                "\(place).source.subtitleTrack", .conflict,
                "belongs to a layer of the film itself, not to one of a group or mask; leave it out"
            )
        }
        guard source.burnIn == false else { return }
        let looks: [(name: String, isGiven: Bool)] = [
            ("source.style", source.style != nil), ("transform", layer.transform != nil), ("opacity", layer.opacity != nil),
            ("blendMode", layer.blendMode != nil), ("operations", layer.operations != nil), ("mask", layer.mask != nil),
            ("animations", layer.animations != nil),
        ]
        for look in looks where look.isGiven {
            diagnostics.report("\(place).\(look.name)", .conflict, "does not belong to captions that are not drawn; leave it out")
        }
    }
}
