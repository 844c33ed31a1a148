import CRsvg
import ExactTime
import ExportPlan

/// Owns librsvg's handle of a document. One thread uses it at a time.
final class SVGDocument: @unchecked Sendable {
    // Unchecked: `SVGDrawing` hands it to one thread after the other, and never touches it while a thread has it.
    private let handle: UnsafeMutablePointer<RsvgHandle>
    /// The size of the whole drawing in pixels of 1/96 inch.
    let size: (width: Double, height: Double)

    enum Reading {
        case document(SVGDocument)
        /// librsvg's reason.
        case failure(String)
    }

    enum Drawing {
        /// RGBA with straight alpha.
        case pixels([UInt8])
        case noMemory
        /// librsvg's reason.
        case failure(String)
    }

    static func read(_ text: [UInt8]) -> Reading {
        var error: UnsafeMutablePointer<GError>?
        guard let handle = spool_svg_read(text, gsize(text.count), &error) else { return .failure(message(error)) }
        return .document(SVGDocument(handle))
    }

    private init(_ handle: UnsafeMutablePointer<RsvgHandle>) {
        self.handle = handle
        size = SVGDocument.size(of: handle)
    }

    deinit { spool_svg_free(handle) }

    /// Draws a part of the document, given in fractions of the whole and stretched to `size`.
    func drawing(of region: Region, size: FrameSize) -> Drawing {
        var words = [UInt32](repeating: 0, count: size.width * size.height)
        let (width, height) = self.size
        var error: UnsafeMutablePointer<GError>?
        let result = words.withUnsafeMutableBufferPointer { words in
            spool_svg_draw(
                handle, width, height, Double(size.width) / (region.width.doubleValue * width),
                Double(size.height) / (region.height.doubleValue * height), region.x.doubleValue * width,
                region.y.doubleValue * height, words.baseAddress, Int32(size.width), Int32(size.height), Int32(size.width * 4),
                &error)
        }
        switch result {
        case SPOOL_SVG_DRAWN:
            return .pixels(words.withUnsafeBytes { PremultipliedPixels.straight($0, stride: size.width * 4, size) })
        case SPOOL_SVG_NO_MEMORY: return .noMemory
        default: return .failure(SVGDocument.message(error))
        }
    }

    /// Takes over and frees librsvg's error.
    private static func message(_ error: UnsafeMutablePointer<GError>?) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 300) { text in
            guard let base = text.baseAddress else { return "" }
            spool_svg_take_message(error, base, text.count)
            return String(cString: base)
        }
    }

    /// A document's own size: its width and height, where both are lengths; otherwise as much of them as there is, in the
    /// proportions of its viewBox; otherwise the viewBox itself; and what browsers give a drawing without any of these.
    private static func size(of handle: UnsafeMutablePointer<RsvgHandle>) -> (width: Double, height: Double) {
        var (width, height) = (0.0, 0.0)
        if rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height) != 0 { return (width, height) }
        var (hasWidth, hasHeight, hasViewBox) = (gboolean(0), gboolean(0), gboolean(0))
        var (across, down, box) = (RsvgLength(), RsvgLength(), RsvgRectangle())
        rsvg_handle_get_intrinsic_dimensions(handle, &hasWidth, &across, &hasHeight, &down, &hasViewBox, &box)
        let own = (hasWidth != 0 ? pixels(across) : nil, hasHeight != 0 ? pixels(down) : nil)
        guard hasViewBox != 0, box.width > 0, box.height > 0 else { return (own.0 ?? 300, own.1 ?? 150) }
        if let width = own.0 { return (width, width * box.height / box.width) }
        if let height = own.1 { return (height * box.width / box.height, height) }
        return (box.width, box.height)
    }

    /// A length in pixels; nil for a percentage, and for lengths that depend on a font.
    private static func pixels(_ length: RsvgLength) -> Double? {
        let factor: Double? =
            switch length.unit {
            case RSVG_UNIT_PX: 1
            case RSVG_UNIT_IN: 96
            case RSVG_UNIT_CM: 96 / 2.54
            case RSVG_UNIT_MM: 96 / 25.4
            case RSVG_UNIT_PT: 96.0 / 72
            case RSVG_UNIT_PC: 16
            default: nil
            }
        return factor.map { $0 * length.length }
    }
}
