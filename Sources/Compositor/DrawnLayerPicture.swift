import ExportPlan
import Lettering
import Media

/// A text or a shape: drawn once, in its own pixels.
final class DrawnLayerPicture: LayerPicture {
    let width: Double
    let height: Double
    let origin: (x: Double, y: Double)
    private let drawn: RasterPicture

    convenience init(_ text: TextContent) throws(MediaError) {
        try self.init { () throws(LetteringError) in try Typesetter(fonts: FontLibrary()).draw(text) }
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

    var isDrawn: Bool { true }

    func picture(atFrame index: Int) throws(MediaError) -> RasterPicture { drawn }
}

extension RasterPicture {
    /// What was drawn, as layers are.
    init(_ picture: DrawnPicture) throws(MediaError) {
        let frame = try VideoFrame(.rgba, FrameSize(width: max(1, picture.width), height: max(1, picture.height)))
        let plane = frame.plane(0)
        for y in 0..<plane.height {
            for byte in 0..<(4 * plane.width) {
                let place = y * 4 * picture.width + byte
                plane.row(y)[byte] = place < picture.pixels.count ? picture.pixels[place] : 0
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
