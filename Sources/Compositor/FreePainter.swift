import ExactTime
import ExportPlan
import Media
import Vocabulary

/// A picture in its own pixels, as it is before a layer's transform puts it anywhere.
protocol LayerPicture: AnyObject {
    /// What its coordinates are measured in, in pixels.
    var width: Double { get }
    var height: Double { get }
    /// Where its coordinates begin in the samples: what sticks out to the left and above, such as a shadow.
    var origin: (x: Double, y: Double) { get }
    /// The same object for the same picture as long as nothing changes; its frame may have a few samples more or less than
    /// `width` and `height` say, and is then stretched.
    func picture(atFrame index: Int) throws(MediaError) -> RasterPicture
}

extension LayerPicture {
    var origin: (x: Double, y: Double) { (0, 0) }
}

/// Draws a layer that has a transform: its picture, its operations on that, then wherever the transform puts it.
///
/// What does not change from frame to frame is kept: a still in its place is drawn once.
final class FreePainter: LayerPainter {
    private let layer: Layer
    private let content: any LayerPicture
    private let frameRate: FrameRate
    private let filter: PictureFilter
    private var filtered: (source: VideoFrame, index: Int, picture: RasterPicture)?
    private var placed: (source: VideoFrame, map: AffineMap, picture: RasterPicture, rect: PixelRect)?

    init(_ layer: Layer, _ content: any LayerPicture, _ context: PaintContext) throws(MediaError) {
        self.layer = layer
        self.content = content
        frameRate = context.frameRate
        filter = try PictureFilter(layer.operations ?? [], subject: "layer", context)
    }

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) {
        let time = frameRate.time(ofFrame: index)
        // Curves that overshoot show no more than all of it, and no less than nothing.
        let opacity = min(1, layer.opacity.value(at: time))
        guard opacity > 0 else { return }
        let picture = try filteredPicture(atFrame: index, time)
        let map = map(of: picture, at: time)
        if placed?.source !== picture.frame || placed?.map != map {
            placed = nil
            guard let drawn = try FreeRasterizer.rasterize(picture, map, on: surface.size) else { return }
            placed = (picture.frame, map, drawn.picture, drawn.rect)
        }
        guard let placed else { return }
        try surface.draw(placed.picture, at: placed.rect, opacity: opacity, mode: layer.blendMode ?? .normal)
    }

    private func filteredPicture(atFrame index: Int, _ time: MediaTime) throws(MediaError) -> RasterPicture {
        let picture = try content.picture(atFrame: index)
        if let filtered, filtered.source === picture.frame, filter.isStill || filtered.index == index {
            return filtered.picture
        }
        let result = try filter.filtered(picture, atFrame: index, time: time)
        filtered = (picture.frame, index, result)
        return result
    }

    /// From the samples of the picture, which may be some pixels of its size apart, to the canvas.
    private func map(of picture: RasterPicture, at time: MediaTime) -> AffineMap {
        guard let transform = layer.transform else { return .identity }
        let map = AffineMap(transform, width: content.width, height: content.height, at: time)
        // What is drawn has its own samples; a source's may be some apart from its size, and are stretched.
        if content is DrawnLayerPicture { return map.beginning(at: content.origin) }
        let size = picture.frame.size
        return map.afterScaling(Double(size.width) / content.width, Double(size.height) / content.height)
    }
}
