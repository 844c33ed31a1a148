import Vocabulary
import Testing

@Suite("Foreign text on a terminal")
struct PrintableTextTests {
    @Test(
        "Control characters are escaped, and characters that only show themselves are not",
        arguments: [
            ("plain text, 'quoted' \\ and \"so\"", "plain text, 'quoted' \\ and \"so\""),
            ("\u{1B}[2J\u{1B}]0;title\u{7}", #"\u001B[2J\u001B]0;title\u0007"#),
            ("a\nerror: forged\r\tb", #"a\nerror: forged\r\tb"#),
            ("\u{9B}31mred", #"\u009B31mred"#),
            ("\u{7F}\u{0}", #"\u007F\u0000"#),
            ("gpj.\u{202E}exe", #"gpj.\u202Eexe"#),
            ("\u{2066}\u{2028}\u{FEFF}", #"\u2066\u2028\uFEFF"#),
            ("\u{E0041}", #"\uDB40\uDC41"#),
            ("Grüße, 世界, 👩‍👩‍👧, می‌خواهم", "Grüße, 世界, 👩‍👩‍👧, می‌خواهم"),
        ])
    func escapes(_ text: String, _ expected: String) {
        #expect(text.printable == expected)
    }

    @Test("A document keeps its lines and tabs")
    func document() {
        #expect("{\n\t\"label\": \"\u{9B}2J\"\r\n}\n".printableDocument == "{\n\t\"label\": \"\\u009B2J\"\\r\n}\n")
    }

    @Test("A table stays aligned with one line per row, whatever its cells contain")
    func table() {
        let lines = TextTable(["ID", "LABEL", "FRAMES"], [["1", "\u{1B}[31mred\n", "7"], ["22", "plain", "-"]]).lines
        let label = #"\u001B[31mred\n"#
        let space = String(repeating: " ", count: label.count - 5)
        #expect(lines == ["ID  LABEL\(space)  FRAMES", " 1  \(label)       7", "22  plain\(space)       -"])
    }
}
