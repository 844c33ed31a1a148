import ExactTime
import ExportPlan
import Media
import Vocabulary
import Glibc

/// Draws a transformed layer: makes its picture, runs the operations on it, and warps the result to where the transform
/// puts it.
///
/// Results that do not change from frame to frame are kept, so a still image that does not move is drawn once.
final class TransformedLayerPainter: LayerPainter {
    private let layer: Layer
    private let content: any LayerPicture
    private let canvas: FrameSize
    private let frameRate: FrameRate
    private let filter: PictureFilter
    private let mask: MaskPainter?
    private let mixer: CalledPlugin?
    private let log: DecisionLog?
    private var filtered: (source: VideoFrame, index: Int, picture: RasterPicture)?
    private var last: (source: VideoFrame, place: Place, picture: RasterPicture, rect: PixelRect)?

    init(_ layer: Layer, _ content: any LayerPicture, _ context: PaintContext) throws(MediaError) {
        self.layer = layer
        self.content = content
        canvas = context.canvas
        frameRate = context.frameRate
        filter = try PictureFilter(layer.operations ?? [], subject: "layer", context)
        mask = try maskPainter(of: layer, context)
        mixer = try layerMixer(of: layer, context)
        log = context.log
    }

    var isStill: Bool {
        content.isStill && filter.isStill && mask?.isStill != false && !isMoving && layer.opacity.constantValue != nil
            && mixer == nil
    }

    /// Whether its place or its crop changes.
    private var isMoving: Bool { layer.transform?.isStill == false || layer.crop?.isStill == false }

    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame? {
        guard layer.blendMode ?? .normal == .normal, mixer == nil, mask == nil,
            layer.opacity.value(at: frameRate.time(ofFrame: index)) >= 1,
            let placed = try placed(atFrame: index), placed.rect == PixelRect(canvas), placed.picture.alpha == nil
        else { return nil }
        return placed.picture.frame
    }

    func wholePicture(atFrame index: Int) throws(MediaError) -> RasterPicture? {
        guard layer.blendMode ?? .normal == .normal, mixer == nil, layer.opacity.value(at: frameRate.time(ofFrame: index)) >= 1,
            let placed = try placed(atFrame: index), placed.rect == PixelRect(canvas)
        else { return nil }
        return placed.picture
    }

    var repetition: Explanation.Repetition? {
        filter.isStill && mask?.isStill != false && !isMoving ? content.repetition : .everyFrame
    }

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) -> Explanation.Compositing {
        // Easing curves that overshoot are clipped to full opacity, and to none.
        let opacity = min(1, layer.opacity.value(at: frameRate.time(ofFrame: index)))
        guard opacity > 0, let placed = try placed(atFrame: index) else { return .hidden }
        if let mixer {
            try surface.mix(
                placed.picture, at: placed.rect, opacity: opacity, by: mixer, at: frameRate.time(ofFrame: index))
            return .mixed(plugin: mixer.name, opacity: layer.opacity.constantValue.map { min(1, $0) })
        }
        let mode = layer.blendMode ?? .normal
        try surface.draw(placed.picture, at: placed.rect, opacity: opacity, mode: mode)
        return .blended(
            rect: placed.rect, mode: mode, opacity: layer.opacity.constantValue.map { min(1, $0) },
            isOpaque: placed.picture.alpha == nil)
    }

    /// The part that lies on the canvas, and where. Nil if nothing is visible.
    private func placed(atFrame index: Int) throws(MediaError) -> (picture: RasterPicture, rect: PixelRect)? {
        if canBeDense { try content.useDensity(density(at: frameRate.time(ofFrame: index))) }
        var picture = try filteredPicture(atFrame: index)
        if let mask { picture = try mask.masked(picture, atFrame: index) }
        guard let place = place(of: picture, at: frameRate.time(ofFrame: index)) else { return nil }
        if let last, last.source === picture.frame, last.place == place, mask?.isStill != false {
            return (last.picture, last.rect)
        }
        last = nil
        guard let drawn = try PictureWarp.rasterize(picture, place.map, window: place.window, on: canvas) else { return nil }
        log?.note(.placement(method: drawn.method, size: picture.frame.size, isMoving: isMoving))
        last = (picture.frame, place, drawn.picture, drawn.rect)
        return (drawn.picture, drawn.rect)
    }

    /// Whether the picture may have any number of samples: masks, and operations with lengths in pixels, need those that its
    /// size says.
    private var canBeDense: Bool { mask == nil && filter.isPixelwise }

    /// How many pixels of the canvas a pixel of the picture takes at most, in each direction.
    private func density(at time: MediaTime) -> Double {
        guard let transform = layer.transform else { return 1 }
        let (width, height) = (content.width, content.height)
        let area =
            layer.crop?.area(at: time, width: width, height: height) ?? LayerCrop.Area(x: 0, y: 0, width: width, height: height)
        guard let corners = transform.corners else {
            let fit =
                transform.fit?.scale(ofWidth: area.width, height: area.height, at: time) ?? layer.crop?.scale(of: area)
            let scale = AffineMap(transform, width: area.width, height: area.height, fit: fit ?? (1, 1), at: time).scale
            return max(scale.x, scale.y)
        }
        let points = [corners.topLeft, corners.topRight, corners.bottomRight, corners.bottomLeft].map {
            (x: $0.x.value(at: time), y: $0.y.value(at: time))
        }
        let edges = (0..<4).map { index in
            hypot(points[(index + 1) % 4].x - points[index].x, points[(index + 1) % 4].y - points[index].y)
        }
        return max(max(edges[0], edges[2]) / area.width, max(edges[1], edges[3]) / area.height)
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

    /// Where a picture lands, and which part of it is visible.
    private struct Place: Equatable {
        /// The map from the picture's samples to the canvas.
        var map: PictureMap
        /// The visible part. Nil shows everything.
        var window: PictureWindow?
    }

    /// Nil if the picture's corners lie on one line, so that nothing is visible.
    private func place(of picture: RasterPicture, at time: MediaTime) -> Place? {
        guard let transform = layer.transform else { return Place(map: .affine(.identity)) }
        let (width, height) = (content.width, content.height)
        let whole = LayerCrop.Area(x: 0, y: 0, width: width, height: height)
        let area = layer.crop?.area(at: time, width: width, height: height) ?? whole
        let origin = (area.x, area.y)
        var place: Place
        if let corners = transform.corners {
            let samples = content.ofSamples(.identity.beginning(at: origin), in: picture)
            guard let map = PerspectiveMap(corners, width: area.width, height: area.height, at: time) else { return nil }
            place = Place(map: .perspective(map.after(samples)))
        } else {
            let fit =
                transform.fit?.scale(ofWidth: area.width, height: area.height, at: time) ?? layer.crop?.scale(of: area)
            let map = AffineMap(transform, width: area.width, height: area.height, fit: fit ?? (1, 1), at: time)
            place = Place(map: .affine(content.ofSamples(map.beginning(at: origin), in: picture)))
        }
        if area != whole {
            place.window = PictureWindow(
                area, scaledBy: Double(picture.frame.size.width) / width, Double(picture.frame.size.height) / height)
        }
        return place
    }
}
