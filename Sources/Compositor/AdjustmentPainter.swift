import ExactTime
import ExportPlan
import Media
import Vocabulary

/// Changes what has been drawn so far: an adjustment layer.
final class AdjustmentPainter: LayerPainter {
    private let layer: Layer
    private let frameRate: FrameRate
    private let filter: PictureFilter

    init(_ layer: Layer, _ context: PaintContext) throws(MediaError) {
        self.layer = layer
        frameRate = context.frameRate
        filter = try PictureFilter(layer.operations ?? [], subject: "adjustment layer", context)
    }

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) {
        let time = frameRate.time(ofFrame: index)
        let opacity = min(1, layer.opacity.value(at: time))
        guard opacity > 0 else { return }
        // What is not covered stays so: only the colours change.
        let below = RasterPicture(frame: surface.frame)
        let changed = try filter.filtered(below, atFrame: index, time: time)
        guard changed.frame !== surface.frame else { return }
        let covered = surface.alpha
        surface.alpha = nil
        defer { surface.alpha = covered }
        try surface.draw(changed, at: PixelRect(surface.size), opacity: opacity, mode: layer.blendMode ?? .normal)
    }
}
