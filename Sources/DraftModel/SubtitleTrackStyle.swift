/// Captions as a track of the film, which a player shows or not: their text without its looks.
public struct SubtitleTrackStyle: Hashable, Sendable, Encodable {
    /// As ISO 639-2 has it: three small letters. `und`, not known, by default.
    public var language: String?

    public init(language: String? = nil) {
        self.language = language
    }

    init(_ reader: inout ObjectReader) {
        language = reader.string("language")
        guard let language, language.utf8.count != 3 || !language.utf8.allSatisfy({ (97...122).contains($0) }) else { return }
        reader.report("language", .invalidValue, "must be three small letters, as ISO 639-2 has them: eng, deu, zho")
    }
}
