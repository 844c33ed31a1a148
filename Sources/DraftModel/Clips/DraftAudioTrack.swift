/// One of several sound tracks of a film, for instance of a language. A viewer hears one of them at a time.
package struct DraftAudioTrack: Hashable, Sendable, Encodable {
    /// An ISO 639-2 code of three small letters; `und` (undetermined) by default.
    package var language: String?
    package var title: String?
    /// The ids of the clips, audio clips and layers that are heard in it. A group stands for all in it.
    package var mix: [String]?
    /// The ids of those that are not heard in it, instead of `mix`. Without both, everything is heard.
    package var without: [String]?

    package init(language: String? = nil, title: String? = nil) {
        self.language = language
        self.title = title
    }

    init(_ reader: inout ObjectReader) {
        language = reader.language("language")
        title = reader.string("title")
        mix = reader.ids("mix")
        without = reader.ids("without")
        if mix != nil, without != nil {
            reader.report("without", .conflict, "cannot be combined with mix, which names all that is heard; give one of them")
        }
    }
}

extension ObjectReader {
    /// Reads a language: three small letters of ISO 639-2.
    mutating func language(_ name: String) -> String? {
        let language = string(name)
        if let language, language.utf8.count != 3 || !language.utf8.allSatisfy({ (97...122).contains($0) }) {
            report(name, .invalidValue, "must be three lower-case letters of ISO 639-2: eng, deu, zho")
        }
        return language
    }

    /// Reads a list of ids.
    fileprivate mutating func ids(_ name: String) -> [String]? {
        guard let value = value(name) else { return nil }
        guard case .array(let elements) = value else {
            report(name, .wrongType, "must be an array of ids, not \(value.kind)")
            return nil
        }
        guard isWithin(DraftLimits.clips, elements.count, name) else { return nil }
        return elements.enumerated().compactMap { index, element in
            guard let text = element.text else {
                report(
                    "\(name)[\(index)]", .wrongType,
                    "must be the id of a clip, an audio clip or a layer, not \(element.kind)")
                return nil
            }
            return text
        }
    }
}
