/// Writes a file's tags as XMP, with properties of Dublin Core, of XMP itself and of its namespace for dynamic media
/// (ISO 16684-1 and -2).
enum XMPPacket {
    private enum Form: String {
        case text = ""
        /// A text in one or more languages, an ordered list of people, and an unordered list of keywords.
        case languages = "Alt"
        case order = "Seq"
        case bag = "Bag"
    }

    /// The XMP property of each tag, by FFmpeg's tag names as in `TagSupport.xmp`.
    private static let elements: [String: (name: String, form: Form)] = [
        "title": ("dc:title", .languages), "artist": ("dc:creator", .order), "description": ("dc:description", .languages),
        "copyright": ("dc:rights", .languages), "keywords": ("dc:subject", .bag), "creation_time": ("xmp:CreateDate", .text),
        "encoder": ("xmp:CreatorTool", .text), "comment": ("xmpDM:logComment", .text), "album": ("xmpDM:album", .text),
        "genre": ("xmpDM:genre", .text), "composer": ("xmpDM:composer", .text), "date": ("xmpDM:releaseDate", .text),
    ]

    static func text(_ tags: [String: String]) -> String {
        let properties = tags.sorted { $0.key < $1.key }.compactMap { tag, value in
            elements[tag].map { property($0.name, $0.form, escaped(value)) }
        }
        return #"<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>"#
            + #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
            + #"<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/""#
            + #" xmlns:xmpDM="http://ns.adobe.com/xmp/1.0/DynamicMedia/">"#
            + properties.joined() + #"</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>"#
    }

    private static func property(_ name: String, _ form: Form, _ value: String) -> String {
        let language = form == .languages ? #" xml:lang="x-default""# : ""
        let content = form == .text ? value : "<rdf:\(form.rawValue)><rdf:li\(language)>\(value)</rdf:li></rdf:\(form.rawValue)>"
        return "<\(name)>\(content)</\(name)>"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }
}
