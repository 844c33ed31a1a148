import DraftModel
import ExactTime
import ExportPlan

/// Checks that the transitions of a layer fit into the time in which it is seen, and that their maps are pictures.
/// - Parameter place: the path of the layer.
func checkLayerTransitions(
    _ layer: DraftLayer, _ facts: [String: SourceFacts], _ place: String, _ diagnostics: inout Diagnostics
) {
    for (name, transition) in layer.transitions {
        checkMap(of: transition, facts, path: "\(place).\(name)", &diagnostics)
    }
    let isDrawn = layer.video != false && layer.source?.burnIn != false
    let isHeard = layer.source.map { $0.type == .video || $0.type == .group } == true
    for (name, _) in layer.transitions where !isDrawn && !isHeard {
        diagnostics.warn(
            "\(place).\(name)", .noEffect, "changes nothing: the layer is not drawn", remedy: "leave it out, or draw the layer")
    }
    // The videos that could not be read, and so the time in which they are seen, are unknown.
    guard let seen = layer.seenRange(facts)?.duration, let last = layer.transitions.last else { return }
    let taken = layer.transitions.reduce(MediaTime.zero) { $0 + $1.transition.duration }
    guard taken > seen else { return }
    let tooLong = layer.transitions.first { $0.transition.duration > seen } ?? last
    let path = "\(place).\(tooLong.name).duration"
    guard !diagnostics.isFaulty(path) else { return }
    let subject = layer.transitions.count == 1 ? "transition takes" : "transitions take"
    diagnostics.report(
        path, .transitionTooLong,
        "\(diagnostics.written(place)) is seen for \(seen.shortText) s, but its \(subject) \(taken.shortText) s; shorten "
            + (layer.transitions.count == 1 ? "it" : "them"))
}

extension DraftLayer {
    /// The range in which the layer is seen, in the time of the list that contains it: its `timeRange`, or until its
    /// source ends.
    /// - Returns: nil if the source is a video of which nothing is known or nothing plays.
    func seenRange(_ facts: [String: SourceFacts]) -> TimeRange? {
        guard let source, source.type == .video else { return timeRange }
        return facts[source].flatMap { PlayedLayer(self, $0) }?.timeRange
    }
}
