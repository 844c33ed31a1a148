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
        case .tooSlow: throw SVGDrawing.tooSlow(subject)
        case .noThread: throw SVGDrawing.noThread(subject)
        case .done(.failure(let message)):
            throw TextRenderingError(
                .malformedDrawing, subject: subject,
                message: "is an SVG that cannot be read (\(message)); export it again from the program that made it")
        case .done(.document(let document)):
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
        case .tooSlow: throw SVGDrawing.tooSlow(subject)
        case .noThread: throw SVGDrawing.noThread(subject)
        case .done(.pixels(let pixels)): return pixels
        case .done(.noMemory):
            throw TextRenderingError(.outOfMemory, subject: subject, message: "needs more memory than there is, at \(size)")
        case .done(.failure(let message)):
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

    private static func noThread(_ subject: String) -> TextRenderingError {
        TextRenderingError(.outOfMemory, subject: subject, message: "needs a thread of its own, and none could be started")
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

    /// Whether a document may have text: an element of this name, in whatever encoding, or something that may bring one
    /// in under another name, which is an entity, an SVG inside of it, or an encoding of its own.
    private static func mayHaveText(_ document: [UInt8]) -> Bool {
        let plain = document.filter { $0 != 0 }.map { (65...90).contains($0) ? $0 | 32 : $0 }
        let hasElement = ["<text", ":text", "<!entity", "svg+xml"].contains { !places(of: $0, in: plain).isEmpty }
        if hasElement { return true }
        let pictures = ["image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"].map { Array($0.utf8) }
        let hasOtherData = places(of: "data:", in: plain).contains { end in
            !pictures.contains { plain[end...].starts(with: $0) }
        }
        if hasOtherData { return true }
        let encodings = ["utf-8", "utf8", "utf-16", "us-ascii", "ascii", "iso-8859-1", "windows-1252"].map { Array($0.utf8) }
        return places(of: "encoding=", in: plain.prefix(256)).contains { end in
            !encodings.contains { plain[end...].dropFirst().starts(with: $0) }
        }
    }

    /// The places behind each occurrence of a text.
    private static func places(of text: String, in bytes: some RandomAccessCollection<UInt8>) -> [Int] {
        let wanted = Array(text.utf8)
        let all = Array(bytes)
        guard all.count >= wanted.count else { return [] }
        return (0...(all.count - wanted.count)).filter { start in
            all[start] == wanted[0] && all[start..<(start + wanted.count)].elementsEqual(wanted)
        }.map { $0 + wanted.count }
    }
}
