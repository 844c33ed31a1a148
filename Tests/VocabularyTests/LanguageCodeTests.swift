import Testing
import Vocabulary

@Suite("Codes of languages")
struct LanguageCodeTests {
    @Test(
        "A language has its shortest tag",
        arguments: [
            ("eng", "en"), ("deu", "de"), ("ger", "de"), ("zho", "zh"), ("fra", "fr"), ("und", "und"), ("gsw", "gsw"),
            ("en", "en"),
            ("", ""),
        ])
    func tag(_ code: String, _ tag: String) {
        #expect(LanguageCode.tag(code) == tag)
    }
}
