import ExactTime
import ExportPlan
import Media
import Vocabulary

/// Draws a layer that has a transform: its picture, its operations on that, then wherever the transform puts it.
///
/// What does not change from frame to frame is kept: a still in its place is drawn once.
final class FreePainter: LayerPainter {
    private let layer: Layer
    private let content: any LayerPicture
    private let canvas: FrameSize
    private let frameRate: FrameRate
    private let filter: PictureFilter
    private let mask: MaskPainter?
    private var filtered: (source: VideoFrame, index: Int, picture: RasterPicture)?
    private var last: (source: VideoFrame, map: PictureMap, picture: RasterPicture, rect: PixelRect)?

    init(_ layer: Layer, _ content: any LayerPicture, _ context: PaintContext) throws(MediaError) {
        self.layer = layer
        self.content = content
        canvas = context.canvas
        frameRate = context.frameRate
        filter = try PictureFilter(layer.operations ?? [], subject: "layer", context)
        mask = try maskPainter(of: layer, context)
    }

    var isStill: Bool {
        content.isStill && filter.isStill && mask?.isStill != false && layer.transform?.isStill != false
            && layer.opacity.constantValue != nil
    }

    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame? {
        guard layer.blendMode ?? .normal == .normal, mask == nil, layer.opacity.value(at: frameRate.time(ofFrame: index)) >= 1,
            let placed = try placed(atFrame: index), placed.rect == PixelRect(canvas), placed.picture.alpha == nil
        else { return nil }
        return placed.picture.frame
    }

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) {
        // Curves that overshoot show no more than all of it, and no less than nothing.
        let opacity = min(1, layer.opacity.value(at: frameRate.time(ofFrame: index)))
        guard opacity > 0, let placed = try placed(atFrame: index) else { return }
        try surface.draw(placed.picture, at: placed.rect, opacity: opacity, mode: layer.blendMode ?? .normal)
    }

    func program(atFrame index: Int, onOpaque isOpaque: Bool) throws(MediaError) -> LayerProgram {
        let picture = try content.program(atFrame: index)
        let isMoving = layer.transform?.isStill == false
        var repetition = picture.repetition
        if !filter.isStill || mask?.isStill == false || isMoving { repetition = .everyFrame }
        var program = LayerProgram(picture.content, repetition: repetition, joining: .unseen)
        program.reading = picture.reading
        guard layer.opacity.value(at: frameRate.time(ofFrame: index)) > 0 else { return program }
        let raw = try content.picture(atFrame: index)
        program.operations = try filter.program(atFrame: index, size: raw.frame.size, hasAlpha: raw.alpha != nil)
        program.mask = try mask?.program(atFrame: index)
        guard let placed = try placed(atFrame: index), let last else { return program }
        program.placing = PlacingProgram(
            way: last.map.way(of: last.source.size, on: canvas), size: last.source.size, isMoving: isMoving)
        program.joining = .blended(
            rect: placed.rect, mode: layer.blendMode ?? .normal, opacity: layer.opacity.constantValue.map { min(1, $0) },
            isOpaque: placed.picture.alpha == nil)
        return program
    }

    /// What is to be seen of it, and where; nil where nothing is.
    private func placed(atFrame index: Int) throws(MediaError) -> (picture: RasterPicture, rect: PixelRect)? {
        var picture = try filteredPicture(atFrame: index)
        if let mask { picture = try mask.masked(picture, atFrame: index) }
        guard let map = map(of: picture, at: frameRate.time(ofFrame: index)) else { return nil }
        if let last, last.source === picture.frame, last.map == map, mask?.isStill != false { return (last.picture, last.rect) }
        last = nil
        guard let drawn = try FreeRasterizer.rasterize(picture, map, on: canvas) else { return nil }
        last = (picture.frame, map, drawn.picture, drawn.rect)
        return drawn
    }

    private func filteredPicture(atFrame index: Int) throws(MediaError) -> RasterPicture {
        let picture = try content.picture(atFrame: index)
        if let filtered, filtered.source === picture.frame, filter.isStill || filtered.index == index {
            return filtered.picture
        }
        let result = try filter.filtered(picture, atFrame: index)
        filtered = (picture.frame, index, result)
        return result
    }

    /// From the picture's samples to the canvas; nil where its corners lie on one line, and nothing is to be seen.
    private func map(of picture: RasterPicture, at time: MediaTime) -> PictureMap? {
        guard let transform = layer.transform else { return .affine(.identity) }
        let (width, height) = (content.width, content.height)
        guard let corners = transform.corners else {
            return .affine(content.ofSamples(AffineMap(transform, width: width, height: height, at: time), in: picture))
        }
        return PerspectiveMap(corners, width: width, height: height, at: time)
            .map { .perspective($0.after(content.ofSamples(.identity, in: picture))) }
    }
}
