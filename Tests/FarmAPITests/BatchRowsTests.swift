import DraftModel
import FarmAPI
import Testing
import Vocabulary
import FoundationEssentials

@Suite("The rows of a batch")
struct BatchRowsTests {
    static let template = #"""
        {"version": 1, "title": "{{name}}", "parameters": {"speed": 1}, "mainTrackClips": [
          {"type": "av", "url": "{{clip}}", "speed": "{{speed}}"},
          {"type": "av", "url": "asset:x", "when": "{{lang}} == 'de'", "id": "{{id}}"}]}
        """#

    private static func checked(
        _ rows: [[String: String]], output: String? = "{{name}}-{{lang}}", parameters: [String: String] = [:],
        template: String = template
    ) throws -> BatchRows {
        let template = try BatchTemplate(
            Data(template.utf8), parameters: parameters, settings: [:], output: output, tags: ["lang": "{{lang}}"])
        var checked = BatchRows(template, rows: rows)
        for (place, row) in rows.enumerated() { checked.add(template.read(row, number: place + 1)) }
        return checked
    }

    private static func row(_ name: String, _ lang: String = "fr", _ more: [String: String] = [:]) -> [String: String] {
        ["name": name, "clip": "a.mp4", "lang": lang].merging(more) { $1 }
    }

    @Test("Rows without faults get their parameters, names and tags")
    func accepted() throws {
        let rows = try BatchRowsTests.checked([BatchRowsTests.row("Anna"), BatchRowsTests.row("Ben", "de", ["id": "x"])])
        #expect(rows.faults.isEmpty && rows.refused.isEmpty && rows.warnings.isEmpty)
        #expect(rows.accepted.map(\.output) == ["Anna-fr.mp4", "Ben-de.mp4"])
        #expect(rows.accepted.map(\.tags) == [["lang": "fr"], ["lang": "de"]])
        #expect(rows.accepted.map(\.number) == [1, 2])
    }

    @Test("A fault names the row, the column whose value is at fault, and the reason")
    func faults() throws {
        let rows = try BatchRowsTests.checked([
            BatchRowsTests.row("Anna"), BatchRowsTests.row("Ben", "fr", ["speed": "99"]), BatchRowsTests.row("Cleo", "de"),
            BatchRowsTests.row("", "").merging(["clip": " "]) { $1 },
        ])
        #expect(rows.accepted.map(\.number) == [1])
        #expect(rows.refused.map(\.number) == [2, 3, 4])
        #expect(rows.faults.map(\.path).prefix(1) == ["rows[1].speed"])
        #expect(rows.faults.first?.message == "mainTrackClips[0].speed: must be 1/10...16, not 99")
        #expect(rows.faults.contains { $0.path == "rows" && $0.message.contains("no row has the column 'id'") })
        #expect(rows.faults.contains { $0.path == "rows[3].clip" && $0.message.hasPrefix("mainTrackClips[0].url: is empty") })
        #expect(rows.summary.hasPrefix("3 of 4 rows have faults"))
    }

    @Test("A value that one row lacks is a fault of this row at its column")
    func lacking() throws {
        let rows = try BatchRowsTests.checked([
            BatchRowsTests.row("Anna", "de", ["id": "a"]), BatchRowsTests.row("Ben", "de"), BatchRowsTests.row("Cleo", "fr"),
        ])
        #expect(rows.refused.map(\.number) == [2], "the clip of row 3 is removed, and needs no value")
        #expect(rows.faults.map(\.path) == ["rows[1].id"])
        #expect(
            rows.faults.map(\.message) == [
                "mainTrackClips[1].id: the merge field {{id}} has no value; add the column, or give a value for all rows"
            ])
    }

    @Test("Two rows with one file name are a fault of the second, also where only the case differs")
    func duplicates() throws {
        let rows = try BatchRowsTests.checked(["Anna", "Ben", "ANNA", "Anna"].map { BatchRowsTests.row($0) })
        #expect(rows.refused.map(\.number) == [3, 4])
        #expect(rows.faults.map(\.path) == ["rows[2].lang", "rows[3].lang"])
        #expect(rows.faults.first?.message.hasPrefix("output: row 1 has the name 'ANNA-fr.mp4', too") == true)
    }

    @Test("A column that nothing uses is a warning, with the name that was probably meant")
    func unused() throws {
        let rows = try BatchRowsTests.checked([BatchRowsTests.row("Anna", "fr", ["sped": "2", "note": ""])])
        #expect(rows.accepted.count == 1)
        #expect(
            rows.warnings.map(\.message) == [
                "nothing uses the column 'note'", "nothing uses the column 'sped'; did you mean 'speed'?",
            ])
    }

    @Test("A fault of the template itself is reported once, and not for each row")
    func common() throws {
        let template = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "{{clip}}", "speed": 99}]}"#
        let rows = try BatchRowsTests.checked(
            ["Anna", "Ben", "Cleo"].map { BatchRowsTests.row($0) }, template: template)
        #expect(rows.faults.map(\.path) == ["mainTrackClips[0].speed"])
        #expect(rows.refused.count == 3)
    }

    @Test("What all rows would meet is refused before any row is read")
    func whole() {
        func faults(_ document: String, _ parameters: [String: String], _ settings: [String: String], _ output: String?)
            -> [String]
        {
            do throws(DraftError) {
                _ = try BatchTemplate(
                    Data(document.utf8), parameters: parameters, settings: settings, output: output, tags: [:])
                return []
            } catch {
                return error.diagnostics.map(\.path)
            }
        }
        #expect(faults("{", [:], [:], nil) == [""])
        #expect(faults("{}", ["x": "1"], [:], nil) == ["parameters.x"])
        #expect(faults("{}", [:], ["videoQuality": "999"], nil) == ["settings.videoQuality"])
        #expect(faults("{}", [:], ["fileType": "webm"], "a.mp4") == ["output"])
        #expect(faults("{}", [:], [:], "../{{row}}") == ["output"])
    }

    @Test("At most a thousand faults are listed, and all rows are counted")
    func many() throws {
        let rows = try BatchRowsTests.checked((0..<1500).map { BatchRowsTests.row("n\($0)", "fr", ["speed": "0"]) })
        #expect(rows.refused.count == 1500 && rows.faults.count == 1001 && rows.faults.last?.code == .more)
    }
}

@Suite("The names of a batch's files")
struct OutputNameTests {
    @Test(
        "A text that cannot name files is refused with what is wrong",
        arguments: [
            ("a\nb", "has a control character in it"),
            ("/films/{{row}}", "begins with /; give a name inside the folder of the films"),
            ("a/../b", "has '..' where the name of a folder or a file has to be"),
            ("{{row}}.webm", "ends with .webm, but the setting fileType is mp4; give one of them"),
        ])
    func refused(text: String, message: String) {
        let fault = #expect(throws: OutputName.Fault.self) { try OutputName(text, fileType: .mp4) }
        #expect(fault?.description == message)
    }

    private static func name(_ text: String?, _ values: [String: String] = [:], row: Int = 7) -> String {
        do throws(OutputName.Fault) {
            return try OutputName(text, fileType: nil).name(row: row, values: values)
        } catch {
            return "fault: \(error)"
        }
    }

    @Test("A name has the values in the places of its merge fields, and a suffix in any case")
    func filled() {
        #expect(OutputNameTests.name(nil) == "7.mp4")
        #expect(OutputNameTests.name("{{a}}-{{ b }}.webm", ["a": "x", "b": "ü€"]) == "x-ü€.webm")
        #expect(OutputNameTests.name("{{a}}/{{row}}", ["a": "x"]) == "x/7.mp4")
        #expect(OutputNameTests.name("{{row}}.mov", ["row": "own"]) == "own.mov")
        #expect(OutputNameTests.name("{{a}}", ["a": "v1.2"]) == "v1.2.mp4")
        #expect(OutputNameTests.name("a.b/{{row}}") == "a.b/7.mp4")
    }

    @Test("The suffix of a picture is that of its file type, and gives one where the settings name none")
    func picture() throws {
        func name(_ text: String?, _ type: FileType?) throws -> String {
            try OutputName(text, fileType: type, isPicture: true).name(row: 7, values: [:])
        }
        #expect(try name(nil, nil) == "7.png" && name("a", .jpeg) == "a.jpg" && name("a.jpeg", .jpeg) == "a.jpeg")
        #expect(try OutputName("{{row}}.webp", fileType: nil, isPicture: true).fileType == .webp)
        #expect(throws: OutputName.Fault.self) { try name("a.png", .jpeg) }
        #expect(try name("a.mp4", nil) == "a.mp4.png", "no picture has such a suffix")
    }

    @Test("No value leads out of the folder, hides a file, or gives a name that a system cannot have")
    func sanitised() {
        for (value, name) in [
            ("../../etc/passwd", "-.-..-etc-passwd.mp4"), ("..", "-..mp4"), (".hidden", "-hidden.mp4"), ("a/b", "a-b.mp4"),
            ("a\\b:c*?\"<>|", "a-b-c------.mp4"), ("a\nb\u{0}c", "a-b-c.mp4"), ("  x", "x.mp4"), ("a\u{202E}b", "a-b.mp4"),
        ] {
            let found = OutputNameTests.name("{{a}}", ["a": value])
            #expect(!found.split(separator: "/").contains("..") && !found.hasPrefix(".") && !found.contains("/"), "\(found)")
            if value != "../../etc/passwd", value != ".." { #expect(found == name) }
        }
        let folder = OutputNameTests.name("{{a}}/x.mp4", ["a": ".."])
        #expect(!folder.hasPrefix("..") && folder.hasSuffix("/x.mp4"))
    }

    @Test("An empty, too long or impossible name is refused with the reason")
    func refused() {
        #expect(OutputNameTests.name("{{a}}.mp4", ["a": ""]) == "fault: the name '.mp4' has an empty folder or file in it")
        #expect(OutputNameTests.name("{{a}}/x.mp4", ["a": " "]) == "fault: the name ' /x.mp4' has an empty folder or file in it")
        #expect(OutputNameTests.name("{{b}}.mp4") == "fault: there is no value for {{b}}")
        let long = String(repeating: "x", count: 196)
        #expect(OutputNameTests.name("{{a}}", ["a": long]) == long + ".mp4")
        #expect(OutputNameTests.name("{{a}}", ["a": long + "x"]).contains("has 201 bytes; a folder or a file may have 200"))
        for text in ["/a.mp4", "../a.mp4", "a/../b", "a//b", "./a", "", "a/", "a\nb"] {
            #expect(OutputNameTests.name(text).hasPrefix("fault: "), "\(text)")
        }
    }
}
