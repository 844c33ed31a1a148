import ExportPlan
import Lettering
import Media
import Operations

/// A text or a shape: drawn once, in its own pixels, with room around it for what its layer's operations carry outwards.
final class DrawnLayerPicture: LayerPicture {
    let width: Double
    let height: Double
    let origin: (x: Double, y: Double)
    private let drawn: RasterPicture
    /// Pixels on each side, at most: what a blur of the largest radius needs.
    private static let mostRoom = 300

    convenience init(_ text: TextContent, of layer: Layer) throws(MediaError) {
        try self.init(layer) { () throws(LetteringError) in try Typesetter(fonts: FontLibrary()).draw(text) }
    }

    convenience init(_ shape: ShapeContent, of layer: Layer) throws(MediaError) {
        try self.init(layer) { () throws(LetteringError) in try ShapePainter.draw(shape) }
    }

    private init(_ layer: Layer, _ draw: () throws(LetteringError) -> DrawnPicture) throws(MediaError) {
        let picture: DrawnPicture
        do throws(LetteringError) { picture = try draw() } catch { throw MediaError(error) }
        (width, height) = (Double(picture.boxSize.width), Double(picture.boxSize.height))
        let room = min(DrawnLayerPicture.mostRoom, (layer.operations ?? []).reduce(0) { $0 + $1.spread })
        origin = (Double(picture.origin.x + room), Double(picture.origin.y + room))
        let size = FrameSize(width: max(1, picture.width + 2 * room), height: max(1, picture.height + 2 * room))
        let frame = try VideoFrame(.rgba, size)
        let plane = frame.plane(0)
        for y in 0..<plane.height {
            let row = plane.row(y)
            row.update(repeating: 0, count: 4 * plane.width)
            let first = (y - room) * 4 * picture.width
            guard first >= 0, first + 4 * picture.width <= picture.pixels.count else { continue }
            for byte in 0..<(4 * picture.width) { row[4 * room + byte] = picture.pixels[first + byte] }
        }
        drawn = try AlphaRasterizer.split(frame)
    }

    func picture(atFrame index: Int) throws(MediaError) -> RasterPicture { drawn }
}

extension MediaError {
    /// What is wrong with a text or a shape.
    init(_ error: LetteringError) {
        let code: MediaErrorCode =
            switch error.failureClass {
            case .environment: .missingFont
            case .resource: .outOfMemory
            case .input: .invalidDrawing
            case .transient, .crash: .internalFailure
            }
        self.init(code, subject: error.subject, message: error.message)
    }
}
