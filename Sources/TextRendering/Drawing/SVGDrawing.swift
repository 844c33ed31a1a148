import CRsvg
package import ExportPlan

/// An SVG document, drawn by librsvg at any size. It is read without a base address: it can use pictures only that it
/// contains, and no files or hosts.
package final class SVGDrawing {
    /// The most bytes of a document, also after it is unpacked.
    package static let byteLimit = 16 << 20

    /// The size of the whole drawing in pixels of 1/96 inch. It may be more than any picture may have.
    package let width: Double
    package let height: Double
    /// Whether it may have text, which looks as the machine's fonts do.
    package let hasText: Bool
    private let document: SVGDocument

    /// - Parameters:
    ///   - bytes: XML, or XML that is packed by gzip.
    ///   - subject: what messages call it.
    ///   - timeLimit: the most processor time to read it, in seconds.
    /// - Throws: `TextRenderingError` `malformedDrawing`, `overLimit` or `outOfMemory`.
    package init(
        _ bytes: [UInt8], subject: String, timeLimit: Double = LimitedWork.seconds
    ) throws(TextRenderingError) {
        let text = try SVGDrawing.unpacked(bytes, subject)
        hasText = SVGDrawing.mayHaveText(text)
        let read = LimitedWork.result(within: timeLimit) { SVGDocument.read(text) }
        switch read {
        case nil: throw SVGDrawing.tooSlow(subject)
        case .failure(let message):
            throw TextRenderingError(
                .malformedDrawing, subject: subject,
                message: "is an SVG that cannot be read (\(message)); export it again from the program that made it")
        case .document(let document):
            self.document = document
            (width, height) = document.size
        }
    }

    /// Draws a part of it, stretched to a size.
    /// - Parameter region: the part, in fractions of the whole.
    /// - Returns: rows of red, green, blue and alpha, without gaps; colours are not multiplied by alpha.
    /// - Throws: `TextRenderingError` `overLimit`, `malformedDrawing` or `outOfMemory`.
    package func pixels(
        of region: Region = .whole, size: FrameSize, subject: String, timeLimit: Double = LimitedWork.seconds
    ) throws(TextRenderingError) -> [UInt8] {
        let fonts = hasText ? try FontLibrary() : nil
        let document = document
        let drawn = LimitedWork.result(within: timeLimit) { () -> SVGDocument.Drawing in
            guard let fonts else { return document.drawing(of: region, size: size) }
            return FontLock.with { fonts.withFontMap { document.drawing(of: region, size: size) } }
        }
        switch drawn {
        case nil: throw SVGDrawing.tooSlow(subject)
        case .pixels(let pixels): return pixels
        case .noMemory:
            throw TextRenderingError(.outOfMemory, subject: subject, message: "needs more memory than there is, at \(size)")
        case .failure(let message):
            throw TextRenderingError(
                .malformedDrawing, subject: subject,
                message: "is an SVG that cannot be drawn (\(message)); simplify it, or convert it to PNG")
        }
    }

    private static func tooSlow(_ subject: String) -> TextRenderingError {
        TextRenderingError(
            .overLimit, subject: subject,
            message: "takes more than \(Int(LimitedWork.seconds)) s of processor time to draw; simplify it, or convert it to PNG")
    }

    /// The document's XML.
    private static func unpacked(_ bytes: [UInt8], _ subject: String) throws(TextRenderingError) -> [UInt8] {
        var text = bytes
        if bytes.starts(with: [0x1F, 0x8B]) {
            var count = 0
            text = [UInt8](unsafeUninitializedCapacity: byteLimit + 1) { buffer, filled in
                count = spool_gunzip(bytes, gsize(bytes.count), buffer.baseAddress, gsize(buffer.count))
                filled = max(0, count)
            }
            guard count >= 0 else {
                throw TextRenderingError(
                    .malformedDrawing, subject: subject, message: "is damaged: its gzip data cannot be unpacked; copy it again")
            }
        }
        guard text.count <= byteLimit else {
            throw TextRenderingError(
                .overLimit, subject: subject,
                message: "is an SVG of more than \(byteLimit) bytes; simplify it, or convert it to PNG")
        }
        return text
    }

    /// Whether an element of the name `text` may be in a document, in whatever encoding it has.
    private static func mayHaveText(_ document: [UInt8]) -> Bool {
        let name = Array("text".utf8)
        var matched = 0
        var begins = false
        for byte in document where byte != 0 {
            if begins, byte == name[matched] {
                matched += 1
                if matched == name.count { return true }
            } else {
                matched = 0
                begins = byte == UInt8(ascii: "<") || byte == UInt8(ascii: ":")
            }
        }
        return false
    }
}
