import Testing
import Vocabulary

@Suite("Percent encoding")
struct PercentEncodingTests {
    @Test(
        "Only unreserved characters stand for themselves",
        arguments: [
            ("", ""), ("aZ09-._~", "aZ09-._~"), ("a b", "a%20b"), ("a/b?c&d=e#f", "a%2Fb%3Fc%26d%3De%23f"),
            ("ä", "%C3%A4"), ("\u{1}\n%", "%01%0A%25"), ("\u{1F3AC}", "%F0%9F%8E%AC"),
        ])
    func encoded(text: String, expected: String) {
        #expect(text.percentEncoded() == expected)
    }

    @Test("Named characters stay")
    func kept() {
        #expect("films/a b.mp4".percentEncoded(keeping: "/") == "films/a%20b.mp4")
    }
}

@Suite("Types of picture files")
struct PictureFileTypeTests {
    @Test("A suffix names the type in lower and upper case")
    func suffixes() {
        for type in PictureFileType.allCases {
            for suffix in type.suffixes {
                #expect(PictureFileType(suffix: suffix) == type && PictureFileType(suffix: suffix.uppercased()) == type)
            }
        }
        for other in ["", "gif", "mp4", ".png", "jp"] { #expect(PictureFileType(suffix: other) == nil) }
        #expect(PictureFileType.suffixNames == ".png, .jpg, .jpeg or .webp")
    }
}
