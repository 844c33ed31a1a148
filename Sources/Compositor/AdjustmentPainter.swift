import ExactTime
import ExportPlan
import Media
import Vocabulary

/// Changes what has been drawn so far: an adjustment layer.
final class AdjustmentPainter: LayerPainter {
    private let layer: Layer
    private let frameRate: FrameRate
    private let filter: PictureFilter
    private let mask: MaskPainter?

    init(_ layer: Layer, _ context: PaintContext) throws(MediaError) {
        self.layer = layer
        frameRate = context.frameRate
        filter = PictureFilter(layer.operations ?? [], subject: "adjustment layer")
        mask = try maskPainter(of: layer, context)
    }

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) {
        let time = frameRate.time(ofFrame: index)
        let opacity = min(1, layer.opacity.value(at: time))
        guard opacity > 0 else { return }
        // What is not covered stays so: only the colours change.
        let below = RasterPicture(frame: surface.frame)
        var changed = try filter.filtered(below, atFrame: index, time: time)
        let mode = layer.blendMode ?? .normal
        // A picture blended with itself is another one, whether or not its operations are neutral just now.
        guard changed.frame !== surface.frame || mode != .normal else { return }
        if let mask { changed = try mask.masked(changed, atFrame: index) }
        let covered = surface.alpha
        surface.alpha = nil
        defer { surface.alpha = covered }
        try surface.draw(changed, at: PixelRect(surface.size), opacity: opacity, mode: mode)
    }
}
