import CPango
import ExportPlan

/// A cairo image with the coordinates of a box, and the operations that all painters here need.
final class Canvas {
    /// The greatest width and height in pixels. Cairo's own limit is 32767; four times the width of 4K is more than a
    /// film needs.
    static let sideLimit = 16_384

    /// The greatest number of pixels in all. libavutil holds no picture of 2^31 bits (`av_image_check_size`).
    private static let pixelLimit = 250_000_000

    let bounds: PixelBounds
    let context: OpaquePointer
    private let surface: OpaquePointer

    /// Makes a transparent picture.
    init(_ bounds: PixelBounds) throws(TextRenderingError) {
        guard bounds.width <= Canvas.sideLimit, bounds.height <= Canvas.sideLimit else {
            throw TextRenderingError(
                .overLimit, subject: "\(bounds.width)x\(bounds.height)",
                message: "is too large to draw: \(Canvas.sideLimit) pixels a side are the most; make it smaller")
        }
        guard bounds.width * bounds.height <= Canvas.pixelLimit else {
            throw TextRenderingError(
                .overLimit, subject: "\(bounds.width)x\(bounds.height)",
                message: "is too large to draw: \(Canvas.pixelLimit) pixels are the most; make it smaller")
        }
        self.bounds = bounds
        guard
            let surface = cairo_image_surface_create(
                CAIRO_FORMAT_ARGB32, Int32(max(1, bounds.width)), Int32(max(1, bounds.height))),
            let context = cairo_create(surface)
        else { throw Canvas.outOfMemory }
        self.surface = surface
        self.context = context
        guard cairo_status(context) == CAIRO_STATUS_SUCCESS else { throw Canvas.outOfMemory }
        // Curves are drawn as lines that deviate from them by at most this many pixels.
        cairo_set_tolerance(context, 0.02)
        cairo_set_antialias(context, CAIRO_ANTIALIAS_GRAY)
        cairo_translate(context, Double(-bounds.minX), Double(-bounds.minY))
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    var width: Int { Int(cairo_image_surface_get_width(surface)) }
    var height: Int { Int(cairo_image_surface_get_height(surface)) }

    /// Sets the colour that is drawn with, ignoring its alpha.
    func setOpaque(_ color: RGBAColor) {
        cairo_set_source_rgb(context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255)
    }

    func set(_ color: RGBAColor) {
        cairo_set_source_rgba(
            context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255, Double(color.alpha) / 255)
    }

    /// Draws another canvas over this one, at its place.
    func paint(_ other: Canvas, alpha: UInt8 = 255) {
        cairo_save(context)
        cairo_set_source_surface(context, other.surface, Double(other.bounds.minX), Double(other.bounds.minY))
        // Canvases lie on whole pixels, so that no interpolation is needed.
        cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST)
        if alpha == 255 { cairo_paint(context) } else { cairo_paint_with_alpha(context, Double(alpha) / 255) }
        cairo_restore(context)
    }

    /// Reads and writes rows of native-endian words 0xAARRGGBB.
    func withWords<Result>(_ body: (_ words: UnsafeMutablePointer<UInt32>, _ stride: Int) -> Result) -> Result? {
        cairo_surface_flush(surface)
        guard let data = cairo_image_surface_get_data(surface) else { return nil }
        defer { cairo_surface_mark_dirty(surface) }
        let stride = Int(cairo_image_surface_get_stride(surface)) / 4
        return data.withMemoryRebound(to: UInt32.self, capacity: stride * height) { body($0, stride) }
    }

    func picture(boxSize: FrameSize) throws(TextRenderingError) -> DrawnPicture {
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        let done: Void? = withWords { words, stride in
            var next = 0
            for y in 0..<height {
                for x in 0..<width {
                    let word = words[y * stride + x]
                    pixels[next] = UInt8(truncatingIfNeeded: word >> 16)
                    pixels[next + 1] = UInt8(truncatingIfNeeded: word >> 8)
                    pixels[next + 2] = UInt8(truncatingIfNeeded: word)
                    pixels[next + 3] = UInt8(truncatingIfNeeded: word >> 24)
                    next += 4
                }
            }
        }
        // After its first error, cairo draws nothing and keeps the status.
        guard done != nil, cairo_status(context) == CAIRO_STATUS_SUCCESS else { throw Canvas.outOfMemory }
        return DrawnPicture(
            width: width, height: height, pixels: pixels, origin: .init(x: -bounds.minX, y: -bounds.minY),
            boxSize: boxSize)
    }

    private static let outOfMemory = TextRenderingError(.outOfMemory, subject: "canvas", message: "cannot be set up")
}
