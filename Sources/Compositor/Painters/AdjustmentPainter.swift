import ExactTime
import ExportPlan
import Media
import Vocabulary

/// Draws an adjustment layer: it changes the picture that has been drawn so far. Operations that move colours about or
/// make them transparent change the picture's coverage, too. The film itself stays opaque: black shows where nothing is
/// left.
final class AdjustmentPainter: LayerPainter {
    private let layer: Layer
    private let frameRate: FrameRate
    private let filter: PictureFilter
    private let mask: MaskPainter?
    private let mixer: CalledPlugin?

    init(_ layer: Layer, _ context: PaintContext) throws(MediaError) {
        self.layer = layer
        frameRate = context.frameRate
        filter = try PictureFilter(layer.operations ?? [], subject: "adjustment layer", context)
        mask = try maskPainter(of: layer, context)
        mixer = try layerMixer(of: layer, context)
    }

    var isStill: Bool {
        filter.isStill && mask?.isStill != false && layer.opacity.constantValue != nil && mixer == nil
    }

    var mayReduceCoverage: Bool { filter.changesAlpha }

    var repetition: Explanation.Repetition? { nil }

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) -> Explanation.Compositing {
        let opacity = min(1, layer.opacity.value(at: frameRate.time(ofFrame: index)))
        guard opacity > 0 else { return .hidden }
        let changed = try filter.filtered(surface.picture, atFrame: index)
        if let mixer {
            try surface.mix(
                changed, at: PixelRect(surface.size), opacity: opacity, through: mask?.coverage(atFrame: index), by: mixer,
                at: frameRate.time(ofFrame: index))
            return .mixed(plugin: mixer.name, opacity: layer.opacity.constantValue.map { min(1, $0) })
        }
        let mode = layer.blendMode ?? .normal
        // A blend mode changes the picture even if the operations are neutral in this frame.
        guard changed.frame !== surface.frame || mode != .normal else { return .hidden }
        try surface.replace(with: changed, opacity: opacity, through: mask?.coverage(atFrame: index), mode: mode)
        return .adjusts(mode: mode, opacity: layer.opacity.constantValue.map { min(1, $0) })
    }
}
