import DraftModel
import TestSupport
import Testing

/// How texts with runs are read.
@Suite struct TextRunTests {
    private func draft(_ text: String, _ more: String = "") -> String {
        #"{"version": 1, "mainTrackClips": [], "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": "#
            + #"{"type": "text", \#(text)}}]\#(more)}"#
    }

    @Test("The text is that of its runs, and merge fields in them are filled in")
    func text() throws {
        let runs = ##""runs": [{"text": "Hi "}, {"text": "{{name}}", "color": "{{paint}}"}]"##
        let (read, diagnostics) = Draft.read(
            draft(runs, ##", "parameters": {"name": "Zoë", "paint": "#FF0000"}"##))
        #expect(diagnostics.isEmpty)
        let text = try #require(read?.layers?[0].source?.text)
        #expect(text.text == "Hi Zoë")
        #expect(text.runs?.map(\.text) == ["Hi ", "Zoë"])
        #expect(text.runs?[1].color?.hex == "#FF0000")
    }

    @Test("Faults name the place")
    func faults() {
        let place = "layers[0].source"
        let cases: [(String, [Fault])] = [
            (#""runs": [{"text": ""}]"#, []),
            (#""text": "a", "runs": [{"text": "a"}]"#, [Fault("\(place).runs", .conflict)]),
            (#""runs": []"#, [Fault("\(place).runs", .outOfRange)]),
            (#""runs": "a""#, [Fault("\(place).runs", .wrongType)]),
            (#""align": "left""#, [Fault("\(place).text", .missingField)]),
            (
                #""runs": [{"text": "a"}, {"color": "red"}]"#,
                [Fault("\(place).runs[1].text", .missingField), Fault("\(place).runs[1].color", .invalidValue)]
            ),
            (#""runs": [{"text": "a", "weight": "bold"}]"#, [Fault("\(place).runs[0].weight", .unknownField)]),
            (#""runs": [{"text": "a", "script": "super"}]"#, [Fault("\(place).runs[0].script", .invalidValue)]),
            (#""runs": [{"text": "a", "baselineOffset": 5000}]"#, [Fault("\(place).runs[0].baselineOffset", .outOfRange)]),
        ]
        for (text, wanted) in cases {
            #expect(Set(Draft.faults(in: draft(text)).map(\.description)) == Set(wanted.map(\.description)), "\(text)")
        }
        let long = String(repeating: "x", count: 5_001)
        #expect(
            Draft.faults(in: draft(#""runs": [{"text": "\#(long)"}, {"text": "\#(long)"}]"#)) == [
                Fault("\(place).runs", .outOfRange)
            ])
        let many = Array(repeating: #"{"text": "x"}"#, count: DraftLimits.textRuns + 1).joined(separator: ", ")
        #expect(Draft.faults(in: draft(#""runs": [\#(many)]"#)) == [Fault("\(place).runs", .outOfRange)])
    }
}
