import ExportPlan
import Lettering
import Media
import Operations

/// A text or a shape: drawn once, in its own pixels, with room around it for what its layer's operations carry outwards.
final class DrawnLayerPicture: LayerPicture {
    let width: Double
    let height: Double
    /// Where its coordinates begin in the samples: strokes and shadows stick out to the left and above.
    private let origin: (x: Double, y: Double)
    private let drawn: RasterPicture
    private let content: LayerProgram.Content
    /// Pixels on each side, at most: what a blur of the largest radius needs.
    private static let mostRoom = 300

    /// - Parameter isExact: whether it is measured by its box's own size, and not by the whole pixels that the box touches: of a
    ///   box that grows the middle does not jump then.
    convenience init(
        _ text: TextContent, of layer: Layer, isExact: Bool = false, _ typesetter: Typesetter
    ) throws(MediaError) {
        try self.init(layer, .text(text: text.text), isExact) { () throws(LetteringError) in try typesetter.draw(text) }
    }

    convenience init(_ shape: ShapeContent, of layer: Layer, isExact: Bool = false) throws(MediaError) {
        try self.init(layer, .shape, isExact) { () throws(LetteringError) in try ShapePainter.draw(shape) }
    }

    private init(
        _ layer: Layer, _ content: LayerProgram.Content, _ isExact: Bool,
        _ draw: () throws(LetteringError) -> DrawnPicture
    ) throws(MediaError) {
        self.content = content
        let picture: DrawnPicture
        do throws(LetteringError) { picture = try draw() } catch { throw MediaError(error) }
        (width, height) =
            isExact
            ? (picture.boxWidth, picture.boxHeight) : (Double(picture.boxSize.width), Double(picture.boxSize.height))
        let room = DrawnLayerPicture.room(for: layer)
        origin = (Double(picture.origin.x + room), Double(picture.origin.y + room))
        drawn = try RasterPicture(picture, room: room)
    }

    /// Pixels around the picture that the layer's operations may carry it into.
    static func room(for layer: Layer) -> Int {
        min(mostRoom, (layer.operations ?? []).reduce(0) { $0 + $1.spread })
    }

    var isStill: Bool { true }

    func picture(atFrame index: Int) -> RasterPicture { drawn }

    func program(atFrame index: Int) -> LayerPictureProgram { LayerPictureProgram(content, repetition: .once) }

    func ofSamples(_ map: AffineMap, in picture: RasterPicture) -> AffineMap { map.beginning(at: origin) }
}

extension RasterPicture {
    /// - Parameter room: transparent pixels on every side of it.
    init(_ drawn: DrawnPicture, room: Int = 0) throws(MediaError) {
        let size = FrameSize(width: max(1, drawn.width + 2 * room), height: max(1, drawn.height + 2 * room))
        let frame = try VideoFrame(.rgba, size)
        let plane = frame.plane(0)
        for y in 0..<plane.height {
            let row = plane.row(y)
            row.update(repeating: 0, count: 4 * plane.width)
            let first = (y - room) * 4 * drawn.width
            guard first >= 0, first + 4 * drawn.width <= drawn.pixels.count else { continue }
            for byte in 0..<(4 * drawn.width) { row[4 * room + byte] = drawn.pixels[first + byte] }
        }
        self = try PixelPicture(frame: frame, isPremultiplied: true).split()
    }
}

extension MediaError {
    /// What is wrong with a text, a shape or captions.
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
