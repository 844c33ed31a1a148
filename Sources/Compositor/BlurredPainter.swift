import ExportPlan
import Media

/// A full-canvas Gaussian blur of another layer: a clip's own picture behind itself.
///
/// A strong blur has no fine detail, so it is computed on a picture shrunk by 2, 4 or 8 and enlarged again. The Gaussian
/// is three box blurs, as the W3C Filter Effects specification approximates it (section 9.5, feGaussianBlur).
final class BlurredPainter: LayerPainter {
    private let inner: any LayerPainter
    private let canvas: FrameSize
    private let small: FrameSize
    private let deviation: Double
    private let enlarger = PictureScaler(subject: "blurred background")
    private var last: (source: VideoFrame, result: VideoFrame)?

    init(_ layer: Layer, deviation: Double, _ context: PaintContext) throws(MediaError) {
        canvas = context.canvas
        var factor = 1
        while factor < 8, deviation / Double(factor * 2) >= 4, canvas.width / (factor * 2) >= 16,
            canvas.height / (factor * 2) >= 16
        {
            factor *= 2
        }
        small = FrameSize(width: canvas.width / factor / 2 * 2, height: canvas.height / factor / 2 * 2)
        self.deviation = deviation * Double(small.width) / Double(canvas.width)
        var shrunk = layer
        if let placement = layer.placement {
            shrunk.placement = Placement(
                orientation: placement.orientation, region: placement.region, destination: PixelRect(small))
        }
        var smallContext = context
        smallContext.canvas = small
        inner = try makePainter(shrunk, smallContext)
    }

    var decodingTime: Duration { inner.decodingTime }

    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame? {
        try blurred(atFrame: index)
    }

    func paint(onto canvas: VideoFrame, atFrame index: Int) throws(MediaError) {
        let picture = try blurred(atFrame: index)
        for plane in 0..<3 { Blend.copy(picture.plane(plane), into: canvas.plane(plane)) }
    }

    private func blurred(atFrame index: Int) throws(MediaError) -> VideoFrame {
        let source: VideoFrame
        if let covering = try inner.coveringPicture(atFrame: index) {
            source = covering
        } else {
            source = try VideoFrame(.yuv420, small)
            try SolidPainter(.black).paint(onto: source, atFrame: index)
            try inner.paint(onto: source, atFrame: index)
        }
        if let last, last.source === source { return last.result }
        let soft = try VideoFrame(.yuv420, small)
        for plane in 0..<3 {
            boxBlur(source.plane(plane), into: soft.plane(plane), deviation: plane == 0 ? deviation : deviation / 2)
        }
        let result = small == canvas ? soft : try enlarger.scale(soft, region: .whole, color: .bt709, to: .yuv420, size: canvas)
        last = (source, result)
        return result
    }
}

/// Three box blurs in each direction; the picture goes on beyond its edges with its edge samples.
func boxBlur(_ source: Plane, into target: Plane, deviation: Double) {
    // d of the W3C formula; an even d is made of two boxes shifted half a sample apart and one of d + 1.
    let d = max(1, Int((deviation * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5).rounded(.down)))
    let boxes: [(before: Int, after: Int)] =
        d % 2 == 1
        ? Array(repeating: ((d - 1) / 2, (d - 1) / 2), count: 3)
        : [(d / 2, d / 2 - 1), (d / 2 - 1, d / 2), (d / 2, d / 2)]
    let width = target.width
    let height = target.height
    var values = [UInt32](repeating: 0, count: max(width, height))
    var blurred = values
    // 8 fraction bits between the passes keep the rounding of six of them below one code value.
    func pass(_ count: Int) {
        for box in boxes {
            let size = UInt32(box.before + box.after + 1)
            var sum: UInt32 = 0
            for offset in -box.before...box.after { sum += values[min(max(offset, 0), count - 1)] }
            for index in 0..<count {
                blurred[index] = (sum + size / 2) / size
                sum += values[min(index + box.after + 1, count - 1)]
                sum -= values[max(index - box.before, 0)]
            }
            swap(&values, &blurred)
        }
    }
    for y in 0..<height {
        let row = source.row(y)
        for x in 0..<width { values[x] = UInt32(row[x]) << 8 }
        pass(width)
        let out = target.row(y)
        for x in 0..<width { out[x] = UInt8((values[x] + 128) >> 8) }
    }
    for x in 0..<width {
        for y in 0..<height { values[y] = UInt32(target.row(y)[x]) << 8 }
        pass(height)
        for y in 0..<height { target.row(y)[x] = UInt8((values[y] + 128) >> 8) }
    }
}
