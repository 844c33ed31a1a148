import DraftModel
import ExactTime
import ExportPlan

/// Lowers the calls of generators and mixers.
extension TransitionMixer {
    /// - Parameter start: when the transition begins.
    /// - Returns: nil for a transition without a plug-in, and if the plug-in has no facts.
    init?(_ transition: DraftModel.Transition, from start: MediaTime, facts: [String: SourceFacts]) {
        guard let mixer = transition.mixer, let call = Operation(mixer, as: "mixer", from: start, facts: facts),
            let plugin = facts[PluginLocation.location(of: mixer.name)]?.plugin
        else { return nil }
        let numbers = plugin.parameters.filter { $0.kind == .number }
        guard let number = numbers.first(where: { transition.progress == nil || $0.name == transition.progress }) else {
            return nil
        }
        self.init(call: call, progress: number.name, from: number.minimum, to: number.maximum)
    }
}

extension SourceTiming {
    /// The own time of a layer's generator: it begins with the layer, or ends with it where it plays backwards.
    init(generator source: LayerSource, _ range: TimeRange) {
        let speed = source.speed ?? .one
        let isReversed = source.reverse == true
        self.init(
            timelineStart: range.start, sourceStart: isReversed ? range.duration * speed : .zero,
            rate: isReversed ? -speed : speed)
    }
}

extension VideoFacts {
    /// The picture of a generator, as a clip places it: like that of a source of this size that may be transparent.
    init(generatedAt size: FrameSize) {
        self.init(
            streamIndex: 0, codec: "", size: size, orientation: .upright, sampleAspectRatio: .one, pixelFormat: "rgba",
            hasAlpha: true, color: .bt709, timeBase: .one, frameRate: FrameRate(30), isVariableFrameRate: false, frameCount: 0,
            duration: .zero, keyframes: [], isStill: false)
    }
}
