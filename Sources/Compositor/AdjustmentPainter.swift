import ExactTime
import ExportPlan
import Media
import Vocabulary

/// Changes what has been drawn so far: an adjustment layer. Where its operations move colours about or make them
/// transparent, what is covered changes with them; the film itself is opaque, and black where nothing is left.
final class AdjustmentPainter: LayerPainter {
    private let layer: Layer
    private let canvas: FrameSize
    private let frameRate: FrameRate
    private let filter: PictureFilter
    private let mask: MaskPainter?

    init(_ layer: Layer, _ context: PaintContext) throws(MediaError) {
        self.layer = layer
        canvas = context.canvas
        frameRate = context.frameRate
        filter = try PictureFilter(layer.operations ?? [], subject: "adjustment layer", context)
        mask = try maskPainter(of: layer, context)
    }

    var isStill: Bool { filter.isStill && mask?.isStill != false && layer.opacity.constantValue != nil }

    var uncovers: Bool { filter.changesAlpha }

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) {
        let opacity = min(1, layer.opacity.value(at: frameRate.time(ofFrame: index)))
        guard opacity > 0 else { return }
        let changed = try filter.filtered(surface.picture, atFrame: index)
        let mode = layer.blendMode ?? .normal
        // A picture blended with itself is another one, whether or not its operations are neutral just now.
        guard changed.frame !== surface.frame || mode != .normal else { return }
        try surface.replace(with: changed, opacity: opacity, through: mask?.coverage(atFrame: index), mode: mode)
    }

    func program(atFrame index: Int, onOpaque isOpaque: Bool) throws(MediaError) -> LayerProgram {
        var program = LayerProgram(.adjustment, repetition: .everyFrame, joining: .unseen)
        guard layer.opacity.value(at: frameRate.time(ofFrame: index)) > 0 else { return program }
        program.operations = try filter.program(atFrame: index, size: canvas, hasAlpha: !isOpaque)
        let mode = layer.blendMode ?? .normal
        if program.operations?.space ?? .untouched == .untouched, mode == .normal { return program }
        program.mask = try mask?.program(atFrame: index)
        program.joining = .adjusts(mode: mode, opacity: layer.opacity.constantValue.map { min(1, $0) })
        return program
    }
}
