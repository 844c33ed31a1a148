/// Captions as a subtitle track of the film, which viewers can switch on and off. Only the text is kept, without its
/// style.
package struct SubtitleTrackStyle: Hashable, Sendable, Encodable {
    /// An ISO 639-2 code of three small letters; `und` (undetermined) by default.
    package var language: String?

    package init(language: String? = nil) {
        self.language = language
    }

    init(_ reader: inout ObjectReader) {
        language = reader.string("language")
        guard let language, language.utf8.count != 3 || !language.utf8.allSatisfy({ (97...122).contains($0) }) else { return }
        reader.report("language", .invalidValue, "must be three lower-case letters of ISO 639-2: eng, deu, zho")
    }
}
