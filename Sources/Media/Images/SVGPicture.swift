import CFFmpeg
import ExactTime
import ExportPlan
import TextRendering

/// An SVG file as a still, drawn by librsvg in the size at which it is shown.
final class SVGPicture: PictureSequence {
    /// The value of `SourceFacts.container`.
    static let container = "svg"
    /// The value of `VideoFacts.codec`.
    static let codec = "svg"

    let path: String
    /// The drawing's own size in pixels, rounded.
    let size: FrameSize
    private let drawing: SVGDrawing
    private let view: DrawnView
    private(set) var isDrained = false

    /// The most pixels of a drawing at its own size, in which it is drawn for masks and some operations: 2^25.
    private static let ownPixels = 1 << 25

    /// - Parameter view: what is drawn; nil for the whole at its own size.
    /// - Throws: `MediaError` `damaged`, `overLimit`, `cannotRead` or `outOfMemory`.
    init(_ file: SourceFile, _ view: DrawnView? = nil) throws(MediaError) {
        path = file.path
        guard file.byteCount <= SVGDrawing.byteLimit else {
            throw MediaError(
                .overLimit, subject: path,
                message: "is an SVG of \(file.byteCount) bytes; simplify it to \(SVGDrawing.byteLimit), or convert it to PNG")
        }
        let bytes = try file.bytes()
        do throws(TextRenderingError) {
            drawing = try SVGDrawing(bytes, subject: file.path)
        } catch { throw MediaError(drawing: error) }
        func pixels(_ length: Double) -> Int { length > 0 ? max(1, Int(min(length, 1e12).rounded())) : 0 }
        size = FrameSize(width: pixels(drawing.width), height: pixels(drawing.height))
        try PictureLimits.check(size, path)
        guard size.width * size.height <= SVGPicture.ownPixels else {
            throw MediaError(
                .overLimit, subject: path,
                message:
                    "is an SVG of \(size), more than \(SVGPicture.ownPixels) pixels; make its width and height smaller, which "
                    + "changes nothing but the size at which it is measured")
        }
        self.view = view ?? DrawnView(size: size)
    }

    var warning: SourceWarning.Code? { drawing.hasText ? .textInDrawing : nil }

    func next() throws(MediaError) -> TimedPicture? {
        guard !isDrained else { return nil }
        isDrained = true
        let pixels: [UInt8]
        do throws(TextRenderingError) {
            pixels = try drawing.pixels(of: view.region, size: view.size, subject: path)
        } catch { throw MediaError(drawing: error) }
        return TimedPicture(timestamp: 0, frame: try VideoFrame(rgba: pixels, view.size))
    }

    func seek(to timestamp: Int64) -> Bool { false }

    func rewind() { isDrained = false }
}

extension MediaError {
    /// The error of a source that cannot be drawn.
    init(drawing error: TextRenderingError) {
        let code: MediaErrorCode =
            switch error.code {
            case .overLimit: .overLimit
            case .outOfMemory: .outOfMemory
            case .cannotRead: .cannotRead
            case .missingFont, .missingGlyph, .missingFontFiles, .otherFont: .missingFont
            case .malformedFont, .invalidFont, .invalidText, .invalidPath, .malformedDrawing: .damaged
            }
        self.init(code, subject: error.subject, message: error.message)
    }
}

extension VideoFrame {
    /// A frame of RGBA pixels in rows without gaps.
    convenience init(rgba pixels: [UInt8], _ size: FrameSize) throws(MediaError) {
        try self.init(.rgba, size)
        let plane = plane(0)
        pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            for y in 0..<size.height { plane.row(y).update(from: base + y * size.width * 4, count: size.width * 4) }
        }
    }
}
