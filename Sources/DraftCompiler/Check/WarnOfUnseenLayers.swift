import DraftModel
import ExactTime
import ExportPlan

/// Warns of layers that begin when the film has ended, as the last ones of a template do whose clips are shorter than its
/// author thought. What a draft's own `timeRange` leaves out is left out on purpose, and is no reason for a warning.
func warnOfUnseenLayers(
    _ draft: Draft, _ timeline: Timeline, _ facts: [String: SourceFacts], _ diagnostics: inout Diagnostics
) {
    for (index, layer) in (draft.layers ?? []).enumerated() {
        let path = "layers[\(index)].timeRange"
        guard !diagnostics.isFaulty(path), let start = layer.seenRange(facts)?.start, start >= timeline.duration else { continue }
        diagnostics.warn(
            path, .noEffect, "begins at \(start.shortText) s, but the film ends at \(timeline.duration.shortText) s",
            remedy: "begin it earlier, or leave it out")
    }
}
