import ExportPlan
import Lettering
import Media

/// A text or a shape: drawn once, in its own pixels.
final class DrawnLayerPicture: LayerPicture {
    let width: Double
    let height: Double
    /// Where its coordinates begin in the samples: strokes and shadows stick out to the left and above.
    private let origin: (x: Double, y: Double)
    private let drawn: RasterPicture

    convenience init(_ text: TextContent, _ typesetter: Typesetter) throws(MediaError) {
        try self.init { () throws(LetteringError) in try typesetter.draw(text) }
    }

    convenience init(_ shape: ShapeContent) throws(MediaError) {
        try self.init { () throws(LetteringError) in try ShapePainter.draw(shape) }
    }

    private init(_ draw: () throws(LetteringError) -> DrawnPicture) throws(MediaError) {
        let picture: DrawnPicture
        do throws(LetteringError) { picture = try draw() } catch { throw MediaError(error) }
        (width, height) = (Double(picture.boxSize.width), Double(picture.boxSize.height))
        origin = (Double(picture.origin.x), Double(picture.origin.y))
        drawn = try RasterPicture(picture)
    }

    func picture(atFrame index: Int) -> RasterPicture { drawn }

    func ofSamples(_ map: AffineMap, in picture: RasterPicture) -> AffineMap { map.beginning(at: origin) }
}

extension RasterPicture {
    init(_ drawn: DrawnPicture) throws(MediaError) {
        let frame = try VideoFrame(.rgba, FrameSize(width: max(1, drawn.width), height: max(1, drawn.height)))
        let plane = frame.plane(0)
        for y in 0..<plane.height {
            for byte in 0..<(4 * plane.width) {
                let place = y * 4 * drawn.width + byte
                plane.row(y)[byte] = place < drawn.pixels.count ? drawn.pixels[place] : 0
            }
        }
        self = try AlphaRasterizer.split(frame)
    }
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
