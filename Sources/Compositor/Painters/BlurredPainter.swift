import ExportPlan
import Media
import Operations
import Vocabulary

/// A full-canvas Gaussian blur of another layer, such as a clip's own picture behind itself.
///
/// A strong blur has no fine detail, so it is computed on a picture shrunk by 2, 4 or 8 and enlarged again.
final class BlurredPainter: LayerPainter {
    private let inner: RecordedPainter
    private let canvas: FrameSize
    private let small: FrameSize
    /// The standard deviation of the blur, in pixels of the small picture.
    private let deviation: Double
    private let lumaBlur: PlaneBlur
    private let chromaBlur: PlaneBlur
    private let log: DecisionLog?
    private let enlarger = PictureScaler(subject: "blurred background")
    private var last: (source: VideoFrame, result: VideoFrame)?
    /// Whether the layer covered the small picture in the last frame.
    private var innerCovers = false

    init(_ layer: Layer, deviation: Double, _ context: PaintContext) throws(MediaError) {
        canvas = context.canvas
        var factor = 1
        while factor < 8, deviation / Double(factor * 2) >= 4, canvas.width / (factor * 2) >= 16,
            canvas.height / (factor * 2) >= 16
        {
            factor *= 2
        }
        small = FrameSize(width: canvas.width / factor / 2 * 2, height: canvas.height / factor / 2 * 2)
        let ratio = Double(small.width) / Double(canvas.width)
        self.deviation = deviation * ratio
        log = context.log
        lumaBlur = PlaneBlur(deviation: self.deviation)
        chromaBlur = PlaneBlur(deviation: self.deviation, isChroma: true)
        var shrunk = layer
        if let placement = layer.placement {
            shrunk.placement = Placement(
                orientation: placement.orientation, region: placement.region, destination: PixelRect(small))
        }
        if layer.transform != nil {
            // The layer's operations run on the picture's own pixels, so their lengths do not depend on where it is
            // drawn.
            shrunk = layer.scaled(by: ratio, Double(small.height) / Double(canvas.height))
        } else {
            // The operations' lengths are in canvas pixels.
            shrunk.operations = layer.operations?.map { $0.lengthsScaled(by: ratio) }
        }
        var smallContext = context
        smallContext.canvas = small
        inner = try RecordedPainter(shrunk, smallContext)
    }

    var isStill: Bool { inner.painter.isStill }

    /// A layer that does not cover the small picture is drawn on black, in each frame unless it is still.
    var repetition: Explanation.Repetition? {
        isStill ? .once : innerCovers ? inner.painter.repetition : .everyFrame
    }

    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame? {
        try blurred(atFrame: index)
    }

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) -> Explanation.Compositing {
        let picture = try blurred(atFrame: index)
        try surface.draw(RasterPicture(frame: picture), at: PixelRect(surface.size), opacity: 1, mode: .normal)
        return .blended(rect: PixelRect(surface.size), mode: .normal, opacity: 1, isOpaque: true)
    }

    private func blurred(atFrame index: Int) throws(MediaError) -> VideoFrame {
        if let last, isStill { return last.result }
        let source: VideoFrame
        if let covering = try inner.coveringPicture(atFrame: index) {
            inner.note(.passedThrough)
            innerCovers = true
            source = covering
        } else {
            let surface = Surface(opaque: try VideoFrame(.yuv420, small))
            innerCovers = false
            _ = try SolidPainter(.black, small).paint(onto: surface, atFrame: index)
            try inner.paint(onto: surface, atFrame: index)
            source = surface.frame
        }
        if let last, last.source === source { return last.result }
        log?.note(.blur(size: small, deviation: deviation))
        let soft = try VideoFrame(.yuv420, small)
        for plane in 0..<3 {
            (plane == 0 ? lumaBlur : chromaBlur).blur(source.plane(plane), into: soft.plane(plane))
        }
        let result = small == canvas ? soft : try enlarger.scale(soft, region: .whole, color: .bt709, to: .yuv420, size: canvas)
        last = (source, result)
        return result
    }
}

extension PlaneBlur {
    func blur(_ source: Plane, into target: Plane) {
        blur(
            PlanarPixels.Plane(base: source.base, stride: source.stride),
            into: PlanarPixels.Plane(base: target.base, stride: target.stride), width: source.width, height: source.height)
    }
}
