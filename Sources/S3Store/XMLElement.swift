import CExpat

/// An element of an XML document, as the answers of an S3 service are: names, texts and elements within. Attributes are
/// left out.
package struct XMLElement: Hashable, Sendable {
    package var name: String
    package var text = ""
    package var elements: [XMLElement] = []

    /// The first element of this name within.
    package subscript(name: String) -> XMLElement? { elements.first { $0.name == name } }

    /// All elements of this name within.
    package func all(_ name: String) -> [XMLElement] { elements.filter { $0.name == name } }

    /// Reads a document with Expat, which takes no entities from outside and bounds their growth.
    /// - Returns: nil where the bytes are no well-formed document, or have more than 64 levels.
    package init?(document bytes: [UInt8]) {
        guard let parser = XML_ParserCreate(nil) else { return nil }
        defer { XML_ParserFree(parser) }
        let reader = Reader(parser)
        XML_SetUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
        XML_SetElementHandler(
            parser,
            { context, name, _ in name.map { Reader.of(context).begin(String(cString: $0)) } },
            { context, _ in Reader.of(context).end() })
        XML_SetCharacterDataHandler(
            parser,
            { context, characters, count in
                let bytes = UnsafeRawBufferPointer(start: characters, count: Int(count))
                Reader.of(context).add(String(decoding: bytes, as: UTF8.self))
            })
        let isRead = bytes.withUnsafeBytes { bytes in
            XML_Parse(parser, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count), 1) == XML_STATUS_OK
        }
        guard withExtendedLifetime(reader, { isRead }), let root = reader.root else { return nil }
        self = root
    }

    package init(name: String) {
        self.name = name
    }

    /// Builds the tree while Expat calls.
    private final class Reader {
        private let parser: XML_Parser
        private var open: [XMLElement] = []
        private(set) var root: XMLElement?

        init(_ parser: XML_Parser) {
            self.parser = parser
        }

        static func of(_ context: UnsafeMutableRawPointer?) -> Reader {
            guard let context else { preconditionFailure("Expat calls back without a context") }
            return Unmanaged<Reader>.fromOpaque(context).takeUnretainedValue()
        }

        func begin(_ name: String) {
            open.append(XMLElement(name: name))
            if open.count > 64 { XML_StopParser(parser, 0) }
        }

        func add(_ text: String) {
            guard !open.isEmpty else { return }
            open[open.count - 1].text += text
        }

        func end() {
            guard let element = open.popLast() else { return }
            if open.isEmpty { root = element } else { open[open.count - 1].elements.append(element) }
        }
    }
}
