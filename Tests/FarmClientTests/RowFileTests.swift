import FarmClient
import TestSupport
import Testing
import FoundationEssentials

@Suite("Files of rows")
struct RowFileTests {
    private static func read(_ text: String, _ format: RowFile.Format = .csv) throws -> RowFile {
        try RowFile.read(Data(text.utf8), as: format)
    }

    private static func fault(_ data: Data, _ format: RowFile.Format = .csv) -> String? {
        do throws(RowFile.Fault) {
            _ = try RowFile.read(data, as: format)
            return nil
        } catch {
            return error.description
        }
    }

    private static func fault(_ text: String, _ format: RowFile.Format = .csv) -> String? { fault(Data(text.utf8), format) }

    @Test("Rows have their numbers, and the lines at which they begin, also behind line breaks in cells")
    func lines() throws {
        let file = try RowFileTests.read("name,text\nAnna,\"two\nlines\"\n\nBen,\"a \"\"b\"\", c\"\r\n\"\",x\n")
        #expect(file.columns == ["name", "text"])
        #expect(file.rows.map(\.number) == [1, 2, 3])
        #expect(file.rows.map(\.line) == [2, 5, 6])
        #expect(file.rows.map { $0.values["name"] } == ["Anna", "Ben", ""])
        #expect(file.rows.map { $0.values["text"] } == ["two\nlines", "a \"b\", c", "x"])
    }

    @Test("A byte order mark, CRLF, a missing last line break and spaces in cells are read as they are meant")
    func forms() throws {
        let rows = [["a": "1", "b": " x "], ["a": "2", "b": "ü"]]
        for text in ["a,b\n1, x \n2,ü", "\u{FEFF}a,b\r\n1, x \r\n2,ü\r\n", "a,b\n\n1,\" x \"\n\n2,ü\n\n"] {
            #expect(try RowFileTests.read(text).rows.map(\.values) == rows)
        }
        #expect(try RowFileTests.read("a\tb\n1\tx,y\n", .tsv).rows.map(\.values) == [["a": "1", "b": "x,y"]])
        #expect(try RowFileTests.read("a,b\n,\n").rows.map(\.values) == [["a": "", "b": ""]])
    }

    @Test("A damaged file is refused with its line and the reason")
    func damage() {
        #expect(RowFileTests.fault("") == "is empty; the first line names the columns")
        #expect(RowFileTests.fault("\n\n") == "is empty; the first line names the columns")
        #expect(RowFileTests.fault("a,b\n") == "has no rows below its header")
        #expect(RowFileTests.fault("a,b,a\n1,2,3\n") == "line 1: the columns 1 and 3 have the same name, 'a'")
        #expect(RowFileTests.fault("a,,b\n1,2,3\n") == "line 1: column 2 has no name")
        #expect(
            RowFileTests.fault("a,b\n1,2\n\"x\ny\",1,2\n")
                == "line 3: has 3 cells, and the header has 2 columns; put a cell with a comma into quotes")
        #expect(
            RowFileTests.fault("a,b\n1;2\n")
                == "line 2: has 1 cells, and the header has 2 columns; cells are separated by ',', not by ';'")
        #expect(RowFileTests.fault("a,b\n1,\"2\n3,4\n") == "line 2: cell 2 begins with a quote that is never closed")
        #expect(
            RowFileTests.fault("a,b\n1,\"2\"x\n")
                == "line 2: has text behind the closing quote of cell 2; double the quotes inside a cell")
        #expect(
            RowFileTests.fault("a,b\n1,2\"x\n")
                == "line 2: cell 2 has a quote in the middle; put the whole cell into quotes and double those inside")
        #expect(RowFileTests.fault("a\n1\n\0\n") == "line 3: has a NUL character; it is damaged, or no file of rows")
        #expect(RowFileTests.fault(Data("a\n1\n".utf8) + [0xFF, 0x0A]) == "line 3: is not UTF-8; save the file as UTF-8")
        #expect(RowFileTests.fault(Data([0xFF, 0xFE, 0x61, 0])) == "line 1: is UTF-16; save the file as UTF-8")
    }

    @Test("JSON Lines have texts, numbers, booleans, and null for no value")
    func jsonLines() throws {
        let file = try RowFileTests.read("{\"a\": \"x\", \"n\": 1.50}\n\n  {\"b\": true, \"a\": null}\r\n", .jsonl)
        #expect(file.columns == ["a", "b", "n"])
        #expect(file.rows.map(\.values) == [["a": "x", "n": "1.5"], ["b": "true"]])
        #expect(file.rows.map(\.line) == [1, 3])
        #expect(RowFileTests.fault("\n", .jsonl) == "has no rows; write one JSON object a line")
        #expect(RowFileTests.fault("{\"a\": 1}\n[1]\n", .jsonl) == "line 2: must be an object, not an array")
        #expect(
            RowFileTests.fault("{\"a\": {}}\n", .jsonl)
                == "line 1: column 'a': must be a text, a number or a boolean, not an object")
        #expect(RowFileTests.fault("{\"a\": 1}\n{\"a\": 1\n", .jsonl)?.hasPrefix("line 2: ") == true)
        #expect(RowFileTests.fault("{\"a\": 1, \"a\": 2}\n", .jsonl)?.contains("'a'") == true)
        #expect(RowFileTests.fault("{\"\": 1}\n", .jsonl) == "line 1: has a column without a name")
    }

    @Test("The name of a file says what it has, in lower or upper case")
    func names() {
        #expect(
            ["a.csv", "a.CSV", "a.tsv", "a.jsonl", "a.ndjson", "-", "csv.txt"].map(RowFile.Format.init(ofFile:)) == [
                .csv, .csv, .tsv, .jsonl, .jsonl, nil, nil,
            ])
    }

    @Test("Random tables that Python's csv module wrote are read as they were")
    func python() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("rows.csv")
        let script = """
            import csv, json, random, sys
            random.seed(5)
            cells = ["", "a", " b ", "c,d", 'e"f', "g\\nh", "i\\r\\nj", '"', '""', "ü€", "-", "=1+1", "\\t"]
            table = [[f"c{n}" for n in range(4)]] + [[random.choice(cells) for _ in range(4)] for _ in range(300)]
            with open(sys.argv[1], "w", newline="", encoding="utf-8") as file: csv.writer(file).writerows(table)
            print(json.dumps(table))
            """
        let output = try await PythonTool.run(script, [path])
        let table = try JSONDecoder().decode([[String]].self, from: Data(output.utf8))
        let file = try RowFile.read(try Data(contentsOf: URL(fileURLWithPath: path)), as: .csv)
        #expect(file.columns == table[0])
        let expected = table.dropFirst().map { row in Dictionary(uniqueKeysWithValues: zip(table[0], row)) }
        #expect(file.rows.map(\.values) == expected)
    }

    @Test("A hundred thousand rows are read")
    func many() throws {
        let text = "name,lang\n" + (1...100_000).map { "n\($0),\"l,\($0)\"\n" }.joined()
        let file = try RowFileTests.read(text)
        #expect(file.rows.count == 100_000)
        #expect(file.rows.last?.number == 100_000 && file.rows.last?.line == 100_001)
        #expect(file.rows.last?.values == ["name": "n100000", "lang": "l,100000"])
    }
}
