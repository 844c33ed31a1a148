import DraftModel
import TestSupport
import Testing

@Suite("Calls of plug-ins")
struct PicturePluginTests {
    private func faults(_ filter: String, parameters: [String: String] = [:]) -> [Fault] {
        let text = DraftText.withClip("\"filters\": [{\"type\": \"externalFilter\", \(filter)}]")
        return Draft.read(text, parameters: parameters).1.map { Fault($0.path, $0.code) }
    }

    @Test("A plug-in call needs a name, refuses other fields and takes values of the allowed types")
    func shape() {
        let place = "mainTrackClips[0].filters[0]"
        #expect(faults(#""name": "glow""#) == [])
        #expect(faults(#""parameters": {}"#) == [Fault("\(place).name", .missingField)])
        #expect(faults(#""name": "glow", "amount": 1"#) == [Fault("\(place).amount", .unknownField)])
        #expect(faults(#""name": "glow", "parameters": {"a": [1]}"#) == [Fault("\(place).parameters.a", .wrongType)])
        #expect(
            faults(#""name": "glow", "parameters": {"a": {"x": 1}}"#) == [Fault("\(place).parameters.a.y", .missingField)])
    }

    @Test("Merge fields can give a plug-in's name and its parameter values")
    func merged() throws {
        let text = DraftText.withClip(
            #""filters": [{"type": "externalFilter", "name": "{{effect}}", "parameters": {"a": "{{much}}"}}]"#)
        let (read, faults) = Draft.read(text, parameters: ["effect": "glow", "much": "0.5"])
        #expect(faults.isEmpty)
        let filter = try #require(read?.mainTrackClips[0].filters?[0].external)
        #expect(filter == PicturePlugin(name: "glow", parameters: ["a": .text("0.5")]))
    }
}
