/// Captions as a subtitle track of the film, which viewers can switch on and off. Only the text is kept, without its
/// style.
package struct SubtitleTrackStyle: Hashable, Sendable, Encodable {
    /// An ISO 639-2 code of three small letters; `und` (undetermined) by default.
    package var language: String?

    package init(language: String? = nil) {
        self.language = language
    }

    init(_ reader: inout ObjectReader) {
        language = reader.language("language")
    }
}
