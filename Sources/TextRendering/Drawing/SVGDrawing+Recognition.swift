import CRsvg

extension SVGDrawing {
    /// How many bytes from the start of a file decide whether it is an SVG: programs write long comments first.
    package static let headBytes = 64 << 10

    /// Whether a file is an SVG: XML, also packed by gzip, whose first element has the name `svg`.
    /// - Parameter head: the first bytes of the file.
    package static func isBegun(by head: [UInt8]) -> Bool {
        var bytes = head
        if head.starts(with: [0x1F, 0x8B]) {
            bytes = [UInt8](unsafeUninitializedCapacity: headBytes) { buffer, filled in
                filled = max(0, spool_gunzip(head, gsize(head.count), buffer.baseAddress, gsize(buffer.count)))
            }
        }
        // UTF-16 becomes ASCII without its zero bytes, as far as names of elements matter.
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            bytes = bytes.dropFirst(2).filter { $0 != 0 }
        } else if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            bytes.removeFirst(3)
        }
        return firstElement(of: bytes[...]) == "svg"
    }

    /// The name of the first element without its prefix, after the XML declaration, comments, processing instructions and
    /// the document type; nil where there is none.
    private static func firstElement(of document: ArraySlice<UInt8>) -> String? {
        var rest = document
        func skip(to ending: String) {
            let ending = Array(ending.utf8)
            while !rest.isEmpty, !rest.starts(with: ending) { rest.removeFirst() }
            rest = rest.dropFirst(ending.count)
        }
        while true {
            rest = rest.drop { " \t\r\n".utf8.contains($0) }
            guard rest.first == UInt8(ascii: "<") else { return nil }
            if rest.starts(with: "<?".utf8) {
                skip(to: "?>")
            } else if rest.starts(with: "<!--".utf8) {
                skip(to: "-->")
            } else if rest.starts(with: "<!".utf8) {
                // A document type may have declarations in brackets.
                let end = rest.first { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "[") }
                if end == UInt8(ascii: "[") { skip(to: "]") }
                skip(to: ">")
            } else {
                let name = rest.dropFirst().prefix { !" \t\r\n/>".utf8.contains($0) }
                return String(decoding: name, as: UTF8.self).split(separator: ":").last.map(String.init)
            }
        }
    }
}
