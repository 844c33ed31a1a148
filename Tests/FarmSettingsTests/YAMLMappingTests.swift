import LocalFarm
import Testing
import FoundationEssentials

@Suite("A YAML mapping")
struct YAMLMappingTests {
    private func entries(_ text: String) throws -> [YAMLMapping.Entry] {
        try YAMLMapping(Data(text.utf8)).entries
    }

    private func fault(_ data: Data) -> YAMLFault? {
        #expect(throws: YAMLFault.self) { try YAMLMapping(data) }
    }

    @Test("has names, texts and lists in the order of the file, with their places")
    func order() throws {
        let read = try entries("b: 1\na: [x, 'y z']\n\nc:\n  - \"p\"\nd:\ne: ~\n")
        #expect(read.map(\.key) == ["b", "a", "c", "d", "e"])
        #expect(read.map(\.value) == [.scalar("1"), .list(["x", "y z"]), .list(["p"]), .scalar(""), .scalar("~")])
        #expect(read.map(\.position.line) == [1, 2, 4, 6, 7])
    }

    @Test("is empty where the file is empty or has only comments", arguments: ["", "# x\n\n", "\u{FEFF}"])
    func nothing(_ text: String) throws {
        #expect(try entries(text).isEmpty)
    }

    @Test("may begin with a byte order mark, end with a marker, and have the line ends of Windows")
    func marks() throws {
        #expect(try entries("\u{FEFF}a: 1\r\nb: 2\r\n...\r\n").map(\.value) == [.scalar("1"), .scalar("2")])
    }

    @Test("follows aliases of texts and lists, and calls what is nested nested")
    func aliases() throws {
        let read = try entries("a: &x 1\nb: [*x, 2]\nc: &l [3]\nd: *l\ne: [*l]\nf: {g: h}\n")
        #expect(
            read.map(\.value) == [.scalar("1"), .list(["1", "2"]), .list(["3"]), .list(["3"]), .nested, .nested])
    }

    @Test("does not expand lists of aliases of lists of aliases")
    func laughs() throws {
        var text = "k0: &k0 [lol, lol]\n"
        for i in 1...200 { text += "k\(i): &k\(i) [\((0..<9).map { _ in "*k\(i - 1)" }.joined(separator: ", "))]\n" }
        let read = try entries(text)
        #expect(read.count == 201)
        #expect(read.dropFirst().allSatisfy { $0.value == .nested })
    }

    @Test(
        "that cannot be read is a fault with its place",
        arguments: [
            ("slots: [", "line 2, column 1: did not find expected node content while parsing a flow node"),
            ("a: 1\n'a': 2\n", "line 2, column 1: 'a' stands twice; it is also in line 1"),
            ("a: 1\n---\nb: 2\n", "line 2, column 1: a second document begins here, and only one is read"),
            ("a: *x\n", "line 1, column 4: '*x' names nothing that stands before it"),
            ("a: &x [*x]\n", "line 1, column 8: '*x' names nothing that stands before it"),
            ("[a]: 1\n", "line 1, column 1: a name is a list or a mapping"),
            ("a: 1\nb: \0\n", "line 2, column 4: control characters are not allowed"),
            ("a: \"x\\0y\"\n", "line 1, column 4: a text has a NUL character"),
        ])
    func faults(_ text: String, _ expected: String) {
        let fault = fault(Data(text.utf8))
        #expect(fault?.description == expected)
        #expect(fault?.code == .syntax)
    }

    @Test("is UTF-8 and nothing else")
    func encodings() {
        let text = fault(Data(Array("# ü\na: ä".utf8) + [0xFF]))
        #expect(text?.description == "line 2, column 5: invalid leading UTF-8 octet")
        #expect(fault(Data([0xFF, 0xFE, 0x61, 0x00]))?.position == YAMLPosition(line: 1, column: 1))
    }

    @Test("is the top level of its file", arguments: ["- a\n", "a\n", "---\n"])
    func topLevel(_ text: String) {
        let fault = fault(Data(text.utf8))
        #expect(fault?.code == .notAMapping && fault?.problem == "the top level is not a mapping")
    }

    @Test("refuses what is nested without end, and names without end", arguments: ["[", "{a: ", "- ", "? "])
    func depth(_ start: String) {
        let text = "a:\n " + String(repeating: start, count: 100_000)
        #expect(fault(Data(text.utf8))?.problem.contains("lie within each other") == true)
        let name = "? " + String(repeating: "x", count: 2000) + "\n: 1\n"
        #expect(fault(Data(name.utf8))?.problem == "a name has more than 1024 characters")
    }

    @Test("of ten megabytes is read whole")
    func large() throws {
        let value = String(repeating: "x", count: 10_000_000)
        #expect(try entries("# c\na: \(value)\nb: 2\n").map(\.value) == [.scalar(value), .scalar("2")])
    }
}
