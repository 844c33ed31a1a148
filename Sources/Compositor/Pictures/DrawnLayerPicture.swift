import ExportPlan
import TextRendering
import Media
import Operations

/// A text or a shape, drawn once in its own pixels, with a margin around it for what the layer's operations spread
/// outwards.
final class DrawnLayerPicture: LayerPicture {
    let width: Double
    let height: Double
    /// Where its coordinates begin in the samples. Strokes and shadows reach beyond them to the left and above.
    private let origin: (x: Double, y: Double)
    private let drawn: RasterPicture
    /// The largest margin on each side in pixels: a blur of the largest radius needs it.
    private static let maximumMargin = 300

    /// - Parameter isExact: whether the size is that of the box itself, and not of the whole pixels that the box
    ///   touches. The centre of a growing box then does not jump.
    convenience init(
        _ text: TextContent, of layer: Layer, isExact: Bool = false, _ typesetter: Typesetter,
        _ colors: PrimariesMap?
    ) throws(MediaError) {
        try self.init(layer, isExact, colors) { () throws(TextRenderingError) in try typesetter.draw(text) }
    }

    convenience init(
        _ shape: ShapeContent, of layer: Layer, isExact: Bool = false, _ colors: PrimariesMap?
    ) throws(MediaError) {
        try self.init(layer, isExact, colors) { () throws(TextRenderingError) in try ShapePainter.draw(shape) }
    }

    private init(
        _ layer: Layer, _ isExact: Bool, _ colors: PrimariesMap?, _ draw: () throws(TextRenderingError) -> DrawnPicture
    ) throws(MediaError) {
        let picture: DrawnPicture
        do throws(TextRenderingError) { picture = try draw() } catch { throw MediaError(error) }
        (width, height) =
            isExact
            ? (picture.boxWidth, picture.boxHeight) : (Double(picture.boxSize.width), Double(picture.boxSize.height))
        let margin = DrawnLayerPicture.margin(for: layer)
        origin = (Double(picture.origin.x + margin), Double(picture.origin.y + margin))
        drawn = try RasterPicture(picture, margin: margin, colors)
    }

    /// How many pixels around the picture the layer's operations may spread it.
    static func margin(for layer: Layer) -> Int {
        min(maximumMargin, (layer.operations ?? []).reduce(0) { $0 + $1.spread })
    }

    var isStill: Bool { true }

    func picture(atFrame index: Int) -> RasterPicture { drawn }

    var repetition: Explanation.Repetition { .once }

    func ofSamples(_ map: AffineMap, in picture: RasterPicture) -> AffineMap { map.beginning(at: origin) }
}

extension RasterPicture {
    /// - Parameters:
    ///   - margin: the width of the transparent border on every side, in pixels.
    ///   - colors: converts the colours, which are those of sRGB, to the film's; nil where they are the same.
    init(_ drawn: DrawnPicture, margin: Int = 0, _ colors: PrimariesMap?) throws(MediaError) {
        let size = FrameSize(width: max(1, drawn.width + 2 * margin), height: max(1, drawn.height + 2 * margin))
        let frame = try VideoFrame(.rgba, size)
        let plane = frame.plane(0)
        for y in 0..<plane.height {
            let row = plane.row(y)
            row.update(repeating: 0, count: 4 * plane.width)
            let first = (y - margin) * 4 * drawn.width
            guard first >= 0, first + 4 * drawn.width <= drawn.pixels.count else { continue }
            for byte in 0..<(4 * drawn.width) { row[4 * margin + byte] = drawn.pixels[first + byte] }
        }
        colors?.map(frame, isPremultiplied: true)
        self = try PixelPicture(frame: frame, isPremultiplied: true).split()
    }
}

extension MediaError {
    /// Makes a `MediaError` of an error about a text, a shape or captions.
    init<Cause: FailureCode>(_ error: CodedError<Cause>) {
        let code: MediaErrorCode =
            switch error.failureClass {
            case .environment: .missingFont
            case .resource: .outOfMemory
            case .input: .invalidDrawing
            case .storage: .cannotRead
            case .transient, .crash: .internalFailure
            }
        self.init(code, subject: error.subject, message: error.message)
    }
}
