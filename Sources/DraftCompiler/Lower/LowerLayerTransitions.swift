import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

extension LayerLowering {
    /// The transitions with which a layer appears and disappears.
    /// - Parameter seen: when the layer is seen, in the time of the list that contains it.
    /// - Returns: nil for a layer without transitions.
    func lowerTransitions(of layer: DraftLayer, during seen: TimeRange) -> [LayerTransition]? {
        var transitions: [LayerTransition] = []
        if let transition = layer.transitionIn {
            let range = TimeRange(start: seen.start, duration: transition.duration)
            transitions.append(
                LayerTransition(
                    kind: transition.type, direction: .entering, timeRange: range,
                    map: lumaMap(of: transition, facts, format),
                    mixer: TransitionMixer(transition, from: range.start, facts: facts)))
        }
        if let transition = layer.transitionOut {
            let range = TimeRange(start: seen.end - transition.duration, duration: transition.duration)
            transitions.append(
                LayerTransition(
                    kind: transition.type, direction: .leaving, timeRange: range,
                    map: lumaMap(of: transition, facts, format),
                    mixer: TransitionMixer(transition, from: range.start, facts: facts)))
        }
        return transitions.isEmpty ? nil : transitions
    }
}

/// The luma map of a transition, stretched over the canvas. Its transparent parts are black.
/// - Returns: nil for other kinds of transitions.
func lumaMap(
    of transition: DraftModel.Transition, _ facts: [String: SourceFacts], _ format: PictureFormat
) -> ExportPlan.Transition.LumaMap? {
    guard let map = transition.url.flatMap({ facts[$0] }), let picture = map.video else { return nil }
    let layer = Layer(
        content: .still(source: map.contentHash),
        placement: placePicture(
            picture.displaySize, orientation: picture.orientation, crop: nil, mode: .fill, format: format))
    return ExportPlan.Transition.LumaMap(
        picture: [Layer(content: .solid(color: .black)), layer], softness: transition.softness ?? 0,
        inverted: transition.inverted ?? false)
}
