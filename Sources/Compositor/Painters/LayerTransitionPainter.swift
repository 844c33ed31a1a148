import ExactTime
import ExportPlan
import Media
import Vocabulary

/// Draws a layer that appears or disappears by a transition. Outside of its transitions the layer is drawn as one
/// without them.
///
/// During a transition the layer is drawn alone onto a transparent canvas, which the transition joins with an empty one,
/// and the result is drawn with the layer's opacity and blend mode. An adjustment layer has no picture: the transition
/// joins what lies below it with what the adjustment makes of that.
final class LayerTransitionPainter: LayerPainter {
    private let layer: Layer
    private let canvas: FrameSize
    private let frameRate: FrameRate
    /// The layer without its transitions.
    private let whole: any LayerPainter
    /// The layer without its transitions, opacity and blend mode. Nil for an adjustment layer.
    private let alone: (any LayerPainter)?
    private let drawings: [LayerTransition: Drawing]
    private let mixer: CalledPlugin?
    private let log: DecisionLog?
    /// Whether the frame that was drawn last lies in a transition.
    private var isJoining = false

    private enum Drawing {
        case builtIn(CoveredTransition)
        case mixer(MixerTransition)
    }

    init(_ layer: Layer, _ context: PaintContext) throws(MediaError) {
        self.layer = layer
        canvas = context.canvas
        frameRate = context.frameRate
        log = context.log
        var plain = layer
        plain.transitions = nil
        whole = try makePainter(plain, context)
        let unlogged = context.recording(in: nil)
        if case .adjustment = layer.content {
            alone = nil
        } else {
            plain.opacity = .constant(1)
            plain.blendMode = nil
            plain.mixer = nil
            alone = try makePainter(plain, unlogged)
        }
        mixer = try layerMixer(of: layer, context)
        var drawings: [LayerTransition: Drawing] = [:]
        for transition in layer.transitions ?? [] {
            if let mixer = transition.mixer {
                drawings[transition] = .mixer(try MixerTransition(mixer, size: context.canvas, context))
                continue
            }
            var map: LumaMapReveal?
            if let wanted = transition.map {
                let picture = try StackPainter(wanted.picture, unlogged).picture(atFrame: 0)
                map = LumaMapReveal(picture, softness: wanted.softness, inverted: wanted.inverted)
            }
            drawings[transition] = .builtIn(try CoveredTransition(transition.kind, size: context.canvas, map: map))
        }
        self.drawings = drawings
    }

    var isStill: Bool { false }

    var mayReduceCoverage: Bool { whole.mayReduceCoverage }

    var repetition: Explanation.Repetition? { isJoining ? .everyFrame : whole.repetition }

    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame? {
        isJoining = false
        return current(atFrame: index) == nil ? try whole.coveringPicture(atFrame: index) : nil
    }

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) -> Explanation.Compositing {
        guard let transition = current(atFrame: index), let drawing = drawings[transition] else {
            isJoining = false
            return try whole.paint(onto: surface, atFrame: index)
        }
        isJoining = true
        log?.note(.layerTransition(kind: transition.kind, direction: transition.direction))
        let (step, count) = transition.progress(atFrame: index, of: frameRate)
        let progress = TransitionProgress(step: step, count: max(1, count))
        let time = frameRate.time(ofFrame: index)
        func drawn(from: RasterPicture?, to: RasterPicture?) throws(MediaError) -> RasterPicture {
            switch drawing {
            case .builtIn(let drawing): try drawing.drawn(from: from, to: to, progress)
            case .mixer(let mixer): try mixer.drawn(from: from, to: to, progress, at: time, log)
            }
        }
        let isEntering = transition.direction == .entering
        guard let alone else {
            let below = try Surface(copying: surface.picture)
            let compositing = try whole.paint(onto: surface, atFrame: index)
            let (without, with) = (below.picture, surface.picture)
            surface.become(try drawn(from: isEntering ? without : with, to: isEntering ? with : without))
            return compositing
        }
        let opacity = min(1, layer.opacity.value(at: time))
        guard opacity > 0 else { return .hidden }
        let own = try Surface(transparent: canvas)
        _ = try alone.paint(onto: own, atFrame: index)
        let picture = try drawn(from: isEntering ? nil : own.picture, to: isEntering ? own.picture : nil)
        if let mixer {
            try surface.mix(picture, at: PixelRect(canvas), opacity: opacity, by: mixer, at: time)
            return .mixed(plugin: mixer.name, opacity: layer.opacity.constantValue.map { min(1, $0) })
        }
        let (rect, mode) = (PixelRect(canvas), layer.blendMode ?? .normal)
        try surface.draw(picture, at: rect, opacity: opacity, mode: mode)
        return .blended(
            rect: rect, mode: mode, opacity: layer.opacity.constantValue.map { min(1, $0) }, isOpaque: false)
    }

    private func current(atFrame index: Int) -> LayerTransition? {
        layer.transition(at: frameRate.time(ofFrame: index))
    }
}

extension Surface {
    /// Takes the pixels and the coverage of a picture of the same size.
    fileprivate func become(_ picture: RasterPicture) {
        for plane in 0..<3 { Blend.copy(picture.frame.plane(plane), into: frame.plane(plane)) }
        if alpha != nil { alpha = picture.alpha ?? AlphaPlanes(covering: 255, size) }
    }
}
